// Instantiations of TypeScript 5.9, counted in this process: reading the libraries once makes a count a matter of a
// second. The count is the one that `tsc --extendedDiagnostics` prints.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { strictest } from './compile.mjs'
import { uses } from './project.mjs'

const require = createRequire(import.meta.url)
const libraries = new Map()

/**
 * @param use A name of `uses`, or source text.
 * @returns Instantiations. Throws when the program does not check, which would make the count worthless.
 */
export function countInstantiations(project, use) {
  const ts = require('typescript-5.9')
  const library = dirname(require.resolve('typescript-5.9'))
  const file = join(project.folder, 'use-counted.ts')
  writeFileSync(file, use in uses ? uses[use](project) : use)
  const { options } = ts.parseJsonConfigFileContent(
    { compilerOptions: strictest, files: [] },
    ts.sys,
    project.folder,
  )
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile.bind(host)
  host.getSourceFile = (name, ...rest) => {
    if (!name.startsWith(library)) return read(name, ...rest)
    if (!libraries.has(name)) libraries.set(name, read(name, ...rest))
    return libraries.get(name)
  }
  const program = ts.createProgram([file], options, host)
  const [error] = ts.getPreEmitDiagnostics(program)
  if (error) throw new Error(`${project.folder}: ${ts.flattenDiagnosticMessageText(error.messageText, '\n')}`)
  return program.getInstantiationCount()
}
