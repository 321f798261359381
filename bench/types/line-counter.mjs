// Instantiations of checking one line beside generated code: everything but the line is read once for all lines.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { strictest } from './compile.mjs'

const require = createRequire(import.meta.url)
const head =
  "import { Activity, calls, plan, Tool } from './generated/index.js'\nvoid [Activity, calls, plan, Tool]\n"

/**
 * @param compiler The name of a package with TypeScript's API.
 * @returns A function that counts the instantiations of a line, and throws when it is not as right, or as wrong, as it is
 * said to be.
 */
export function lineCounter(folder, compiler) {
  const ts = require(compiler)
  const file = join(folder, 'use-line.ts')
  const { options } = ts.parseJsonConfigFileContent(
    { compilerOptions: { ...strictest, lib: ['es2023'] }, files: [] },
    ts.sys,
    folder,
  )
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile.bind(host)
  const files = new Map()
  host.getSourceFile = (name, ...rest) => {
    if (name === file) return read(name, ...rest)
    if (!files.has(name)) files.set(name, read(name, ...rest))
    return files.get(name)
  }
  return (line, isRight) => {
    writeFileSync(file, `${head}void ${line}\n`)
    const program = ts.createProgram([file], options, host)
    const [error] = program.getSemanticDiagnostics(program.getSourceFile(file))
    if (isRight === (error !== undefined)) {
      const message = error && ts.flattenDiagnosticMessageText(error.messageText, '\n')
      throw new Error(`${line}\n${message ?? 'compiles, and should not'}`)
    }
    return program.getInstantiationCount()
  }
}
