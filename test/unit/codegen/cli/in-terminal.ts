import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../../../codegen/cli/run.ts'
import type { Terminal } from '../../../../codegen/cli/terminal.ts'
import { fill, temporaryFolder } from '../write/temporary-folder.ts'

/** What a command printed, and its exit code. Times are replaced: they are the only thing that differs between runs. */
export interface Printed {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** How to run a command line in a test. */
export interface Surroundings {
  readonly input?: string
  readonly signal?: AbortSignal
  readonly colours?: boolean
  readonly startedBy?: string
  readonly repository?: string
  readonly ask?: (question: string) => Promise<string>
}

/** Runs a command line in a folder, without a process of its own. */
export async function callsheet(
  cwd: string,
  args: readonly string[],
  surroundings: Surroundings = {},
): Promise<Printed> {
  let out = ''
  let err = ''
  const terminal: Terminal = {
    cwd,
    repository: surroundings.repository,
    startedBy: surroundings.startedBy,
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
    colours: surroundings.colours ?? false,
    readInput: async () => surroundings.input ?? '',
    interruptible: () => surroundings.signal ?? new AbortController().signal,
    ...(surroundings.ask && { ask: surroundings.ask }),
  }
  const code = await run(args, terminal)
  return { code, out, err: err.replace(/\(\d+ ms\)/g, '(0 ms)') }
}

/** A project with the installed packages of this repository, and these files. */
export function project(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder()
  fill(folder, { 'package.json': '{"type":"module"}\n', 'node_modules/.keep': '', ...files })
  symlinkSync(
    join(import.meta.dirname, '../../../../node_modules/typebox'),
    join(folder, 'node_modules/typebox'),
    'junction', // a link that Windows lets everybody make
  )
  return folder
}

/** The source of a definition file that declares one Tool. */
export function definition(name: string, parameter = 'query'): string {
  return `import { Type } from 'typebox'

export const ${name} = Type.Object({
  _tool: Type.Literal('${name}'),
  ${parameter}: Type.String(),
  _output: Type.Object({ found: Type.Boolean() }),
}, { description: 'Made for a test.' })
`
}
