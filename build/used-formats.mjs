// What checks of values need of ajv-formats: neither its faster, looser formats nor its comparisons of two values.
import { readFile } from 'node:fs/promises'

/** An esbuild plugin that makes a module of its own kind of the formats of ajv-formats, so that esbuild drops the rest. */
export const usedFormats = {
  name: 'used-formats',
  setup(build) {
    build.onLoad({ filter: /ajv-formats[\\/]dist[\\/]formats\.js$/ }, async ({ path }) => {
      const contents = (await readFile(path, 'utf8'))
        .replace(/^.*(?:__esModule|exports\.formatNames).*$/gm, '')
        .replace(/^exports\.fastFormats = \{[\s\S]*?^\};$/m, '')
        .replace('exports.fullFormats =', 'export const fullFormats =')
        .replace(/, compare\w+\)/g, ')')
      if (contents.includes('exports.')) throw new Error(`${path} has another form than this plugin knows`)
      return { contents, loader: 'js' }
    })
  },
}
