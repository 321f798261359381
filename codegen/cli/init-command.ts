import { resolve } from 'node:path'
import { GeneratorError } from '../generator-error.ts'
import type { InitResult } from '../init/init.ts'
import type { Command, Given } from './command.ts'
import { styleFor } from './style.ts'
import { type ExitCode, exitCode, type Terminal } from './terminal.ts'
import { installedVersion } from './version.ts'

const kinds = ['single', 'monorepo'] as const

type Kind = (typeof kinds)[number]

export const initCommand: Command = {
  about: `Sets up a project: configuration, scripts and, if there are no definitions yet, an example Tool. Either one
package, or a monorepo with a contract that declares Tools, a worker that implements them and an agent that
lets a model call them. Existing files are never overwritten; running it again changes nothing.`,
  options: {
    kind: {
      type: 'string',
      value: 'KIND',
      choices: kinds,
      help: 'single (one package) or monorepo (contract, worker, agent). If absent, init asks.',
    },
    yes: {
      type: 'boolean',
      short: 'y',
      help: 'Do not ask. The kind is single unless --kind is given.',
    },
  },
  examples: [
    ['callsheet init', 'in an empty folder or an existing package'],
    ['callsheet init --kind monorepo', 'without a question'],
    ['callsheet init --yes --cwd my-tools', 'in another folder'],
  ],
  run: initProject,
}

async function initProject(given: Given, terminal: Terminal): Promise<ExitCode> {
  const kind = await chosenKind(given, terminal)
  const folder = resolve(terminal.cwd, given.values.get('cwd') ?? '.')
  const { init } = await import('../init/init.ts')
  const result = init({ folder, kind, version: installedVersion(), startedBy: terminal.startedBy })
  if (given.values.get('format') === 'json') terminal.out(`${JSON.stringify({ kind, ...result }, null, 2)}\n`)
  else if (given.values.get('format') !== 'github') showText(result, given, terminal)
  return exitCode.ok
}

async function chosenKind(given: Given, terminal: Terminal): Promise<Kind> {
  const option = kinds.find((kind) => kind === given.values.get('kind'))
  if (option) return option
  if (given.flags.has('yes')) return 'single'
  if (!terminal.ask) {
    const fault = {
      message: 'init asks what to set up, and there is no terminal to ask in.',
      fix: 'Pass --kind single or --kind monorepo, or --yes for a single package.',
    }
    throw new GeneratorError('invalid_usage', [fault])
  }
  for (;;) {
    const answer = (
      await terminal.ask('One package, or a monorepo of contract, worker and agent? [single/monorepo] ')
    )
      .trim()
      .toLowerCase()
    if (answer === '') return 'single'
    const kind = kinds.find((each) => each.startsWith(answer))
    if (kind) return kind
    terminal.err(`Answer one of ${kinds.join(', ')}.\n`)
  }
}

function showText(result: InitResult, given: Given, terminal: Terminal): void {
  const { written, extended, kept, next, ci } = result
  if (given.flags.has('silent')) return
  terminal.out([...written, ...extended].map((path) => `${path}\n`).join(''))
  const style = styleFor(terminal.colours)
  for (const path of kept) terminal.err(`${path} exists and was not changed.\n`)
  if (written.length + extended.length === 0) {
    terminal.err(`${style.green('Set up already.')} Nothing was changed.\n`)
    return
  }
  terminal.err(`${style.green('Set up:')} ${written.length} written, ${extended.length} extended. Next:\n`)
  for (const step of next) terminal.err(`  ${step}\n`)
  terminal.err(`\nFor your CI (steps of a GitHub workflow):\n${ci}`)
}
