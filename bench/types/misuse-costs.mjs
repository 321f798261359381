// A whole check of a project by a compiler's command, with one line that is right, and with the same line wrong.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compilerFolder, strictest } from './compile.mjs'
import { makeProject } from './project.mjs'
import { misuseLines } from './wrong-code.mjs'

export const compilers = ['5.9', '6.0', '7.0']

/** One wrong literal, constant, built Call, output, name and Reference each; further kinds are counted (wrong-code.mjs). */
const kinds = [
  'literal, misspelt',
  'literal, wrong constant',
  'built Call, misspelt',
  'Activity, wrong output',
  'Activity, misspelt name',
  'Reference',
]

/**
 * Each kind with and without a declared context: how many times the right line's processor time and memory the wrong line
 * takes.
 *
 * @returns {AsyncGenerator<{ name: string, time: number, memory: number }>}
 */
export async function* misuseCosts(size, version) {
  for (const declaresContext of [false, true]) {
    const project = await makeProject(size, declaresContext)
    const lines = misuseLines(project, declaresContext)
    for (const kind of kinds.filter((each) => each in lines)) {
      const right = check(project.folder, lines[kind].right, version, true)
      const wrong = check(project.folder, lines[kind].wrong, version, false)
      const name = `${kind}, ${declaresContext ? 'context declared' : 'no context'}`
      yield { name, time: wrong.seconds / right.seconds, memory: wrong.memory / right.memory }
    }
  }
}

const head =
  "import { Activity, calls, plan, Tool } from './generated/index.js'\nvoid [Activity, calls, plan, Tool]\n"

/** Throws when the line is not as right, or as wrong, as it is said to be. */
function check(folder, line, version, isRight) {
  writeFileSync(join(folder, 'use-misuse.ts'), `${head}void ${line}\n`)
  const config = join(folder, 'tsconfig.misuse.json')
  const compilerOptions = { ...strictest, lib: ['es2023'] }
  writeFileSync(config, JSON.stringify({ compilerOptions, files: ['use-misuse.ts'] }))
  const compiler = join(compilerFolder(version), 'bin/tsc')
  const command = [process.execPath, compiler, '-p', config, '--extendedDiagnostics', '--pretty', 'false']
  // `times` of the shell: what the processes that it waited for have used of the processors.
  const { stdout } = spawnSync('sh', ['-c', '"$@"; times', 'sh', ...command], {
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  const error = /^.*error TS.*$/m.exec(stdout)
  if (isRight === (error !== null)) throw new Error(`${line}\n${error?.[0] ?? 'compiles, and should not'}`)
  const used = [...(stdout.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
  return {
    seconds: used.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0),
    memory: Number(/^Memory used:\s+(\d+)/m.exec(stdout)?.[1]),
  }
}
