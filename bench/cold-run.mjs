// Runs a program in a fresh process and tells what it took. Cold is what a command line is.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spread } from './measure.mjs'

const usage = fileURLToPath(new URL('./usage.mjs', import.meta.url))

/**
 * @param program The script and its arguments.
 * @returns Milliseconds of wall and CPU time, the peak of memory in MB, and what it wrote to standard output.
 * @throws When the program ends with anything but 0.
 */
export function coldRun(program, { cwd, node = [process.execPath] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'callsheet-usage-'))
  const file = join(folder, 'usage.json')
  try {
    const [command, ...before] = node
    const { status, stdout, stderr, error } = spawnSync(command, [...before, '--import', usage, ...program], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, BENCH_USAGE: file },
      maxBuffer: 2 ** 28,
    })
    if (status !== 0) throw new Error(`${program.join(' ')} ended with ${status}: ${error ?? stderr}`)
    return { ...JSON.parse(readFileSync(file, 'utf8')), stdout }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Several cold runs: the spread of each figure. `prepare` runs before each and is not measured. */
export function coldRuns(times, program, options, prepare = () => {}) {
  const runs = Array.from({ length: times }, () => {
    prepare()
    return coldRun(program, options)
  })
  const of = (figure) => spread(runs.map((run) => run[figure]))
  return { wall: of('wall'), cpu: of('cpu'), megabytes: of('megabytes'), stdout: runs[0].stdout }
}
