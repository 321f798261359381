import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root: string = fileURLToPath(new URL('../..', import.meta.url))

const require = createRequire(import.meta.url)

/** The compilers that generated code and declarations must check under. */
export const compilers = { '5.9': 'typescript-5.9', '6.0': 'typescript-6.0', '7.0': 'typescript' } as const

export type CompilerVersion = keyof typeof compilers

export interface Diagnostic {
  /** File name without folder. */
  readonly file: string
  readonly line: number
  readonly code: string
  /** The whole message, with what stands indented below it. */
  readonly message: string
}

const strictest = {
  target: 'es2023',
  lib: ['es2023', 'dom'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: false,
}

/**
 * Type-checks sources in a folder inside the project, so that `callsheet` is the built package and `../generated` the
 * sample's.
 *
 * @param files Source text by file name.
 */
export function typeCheck(
  version: CompilerVersion,
  files: Readonly<Record<string, string>>,
  options: object = {},
): Diagnostic[] {
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, 'node_modules/.cache/types-'))
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    const config = { compilerOptions: { ...strictest, ...options }, files: Object.keys(files) }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const tsc = join(dirname(require.resolve(`${compilers[version]}/package.json`)), 'bin/tsc')
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
      encoding: 'utf8',
      cwd: folder,
    })
    return diagnosticsIn(stdout)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const head = /^(.+?)\((\d+),\d+\): error (TS\d+): (.*)$/

function diagnosticsIn(output: string): Diagnostic[] {
  const found: { file: string; line: number; code: string; message: string }[] = []
  for (const line of output.split('\n')) {
    const [, file = '', at = '', code = '', message = ''] = head.exec(line) ?? []
    const last = found.at(-1)
    if (code) found.push({ file: file.split('/').at(-1) ?? file, line: Number(at), code, message })
    else if (line.startsWith(' ') && last) last.message += `\n${line}`
    else if (line.trim() !== '' && !line.startsWith('Found')) {
      found.push({ file: '', line: 0, code: 'output', message: line })
    }
  }
  return found
}
