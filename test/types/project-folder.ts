import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Config, generate } from '../../codegen/index.ts'
import { root } from './compilers.ts'

/** Makes a project within this one, so that `callsheet` is the built package. @param files Source text by path. */
export function projectFolder(files: Readonly<Record<string, string>>): string {
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'project-'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/callsheet'))
  for (const [path, text] of Object.entries({ 'package.json': '{ "type": "module" }\n', ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

/** Generates the code of a project. @returns Its sources, by their paths in the project. */
export async function generateIn(
  folder: string,
  config: Config = { importExtension: '.js' },
): Promise<Record<string, string>> {
  const report = await generate({ cwd: folder, config, cache: false })
  if (!report.ok) throw new Error(report.findings.map(({ message }) => message).join('\n'))
  const output = join(folder, 'generated')
  return Object.fromEntries(
    readdirSync(output, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => [`generated/${path}`, readFileSync(join(output, path), 'utf8')]),
  )
}
