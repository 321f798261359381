import { createRequire } from 'node:module'
import { dirname, relative } from 'node:path'
import type { Diagnostic } from './compilers.ts'

type TypeScript = typeof import('typescript-5.9')
type SourceFile = import('typescript-5.9').SourceFile

const require = createRequire(import.meta.url)

/** TypeScript's own libraries, parsed and bound once for each compiler. */
const libraries = new Map<string, SourceFile | undefined>()

/** Checks a project with the API of an older compiler, declarations included where its options ask for them. */
export function checkInProcess(
  compiler: 'typescript-5.9' | 'typescript-6.0',
  folder: string,
  config: object,
): readonly Diagnostic[] {
  // What is used of TypeScript 6 is as it was.
  const ts = require(compiler) as TypeScript
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, folder)
  const host = ts.createCompilerHost(options)
  const library = dirname(require.resolve(compiler))
  const read = host.getSourceFile.bind(host)
  host.getSourceFile = (name, ...rest) => {
    if (!name.startsWith(library)) return read(name, ...rest)
    if (!libraries.has(name)) libraries.set(name, read(name, ...rest))
    return libraries.get(name)
  }
  const program = ts.createProgram(fileNames, options, host)
  return [...errors, ...ts.getPreEmitDiagnostics(program)].map(({ file, start = 0, code, messageText }) => ({
    file: file ? relative(folder, file.fileName) : '',
    line: file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0,
    code: `TS${code}`,
    message: ts.flattenDiagnosticMessageText(messageText, '\n'),
  }))
}
