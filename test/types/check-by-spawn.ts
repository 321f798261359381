import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compilerOutput } from './compiler-output.ts'
import type { Diagnostic } from './compilers.ts'

/** Runs the command of TypeScript 7 over a project and reads what it prints. */
export function checkBySpawn(folder: string, config: object): readonly Diagnostic[] {
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  return diagnosticsIn(compilerOutput(folder))
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
