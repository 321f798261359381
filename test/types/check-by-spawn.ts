import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Diagnostic } from './compilers.ts'

const compiler = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))

/** Runs the command of TypeScript 7 over a project and reads what it prints. */
export function checkBySpawn(folder: string, config: object): readonly Diagnostic[] {
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const command = [join(compiler, 'bin/tsc'), '-p', folder, '--pretty', 'false']
  const { stdout } = spawnSync(process.execPath, command, {
    encoding: 'utf8',
    cwd: folder,
    maxBuffer: 1 << 26,
  })
  return diagnosticsIn(stdout)
}

const head = /^(.+?)\((\d+),\d+\): error (TS\d+): (.*)$/

function diagnosticsIn(output: string): Diagnostic[] {
  const found: { file: string; line: number; code: string; message: string }[] = []
  for (const line of output.split('\n')) {
    const [, file = '', at = '', code = '', message = ''] = head.exec(line) ?? []
    const last = found.at(-1)
    if (code) found.push({ file, line: Number(at), code, message })
    else if (line.startsWith(' ') && last) last.message += `\n${line}`
    else if (line.trim() !== '' && !line.startsWith('Found')) {
      found.push({ file: '', line: 0, code: 'output', message: line })
    }
  }
  return found
}
