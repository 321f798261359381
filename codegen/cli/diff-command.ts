import { type ChangeClass, changeClasses, type Order, orders } from '../diff/change.ts'
import { GeneratorError } from '../generator-error.ts'
import { didYouMean } from '../names/nearest-name.ts'
import type { Command, Given } from './command.ts'
import { configOptions } from './config-options.ts'
import { styleFor } from './style.ts'
import { type ExitCode, exitCode, type Terminal } from './terminal.ts'

export const diffCommand: Command = {
  about: `Compares the contract with an earlier one and reports, Tool by Tool, what changed and its consequences: on the
wire, for types, for what a model reads, for effects, and for each dialect. Verdicts about the wire are proven,
or shown by an example that one side accepts and the other refuses. Writes no files.`,
  options: {
    against: {
      type: 'string',
      value: 'STATE',
      help: 'The earlier state: a git ref (origin/main), a folder, or a tarball from npm pack.',
    },
    order: {
      type: 'string',
      value: 'ORDER',
      choices: orders,
      help: 'The order of deployment: together (the default), worker-first or agent-first.',
    },
    'fail-on': {
      type: 'string',
      value: 'CLASSES',
      help: 'Changes that exit with 1: wire, type, wording, effect, dialect, or none. Default: wire.',
    },
    vessels: { type: 'string', value: 'DIR', help: 'Recorded Vessels to check against the contract.' },
    format: {
      type: 'string',
      value: 'FORMAT',
      choices: ['text', 'json', 'github', 'markdown'],
      help: 'text for people, json, github annotations, or markdown for a comment. Default: text.',
    },
  },
  examples: [
    ['callsheet diff --against HEAD', 'before a commit: what the change at hand means'],
    ['callsheet diff --against origin/main --format markdown', 'in CI: the comment of a pull request'],
    ['callsheet diff --against acme-contract-1.4.0.tgz', 'what differs from what was published'],
    ['callsheet diff --against main --order worker-first', 'when the worker is deployed before the agent'],
  ],
  run: compareContract,
}

async function compareContract(given: Given, terminal: Terminal): Promise<ExitCode> {
  const against = given.values.get('against')
  if (against === undefined) {
    throw new GeneratorError('invalid_usage', [
      {
        message: 'diff needs something to compare with.',
        fix: 'Pass --against origin/main, a folder, or a tarball.',
      },
    ])
  }
  const vessels = given.values.get('vessels')
  const { diff } = await import('../diff/diff.ts')
  const report = await diff({
    ...configOptions(given, terminal),
    against,
    order: (given.values.get('order') ?? 'together') as Order, // safe cast: parseArguments has checked the choices
    failOn: classesGiven(given.values.get('fail-on')),
    ...(vessels !== undefined && { vessels }),
  })
  const { showDiff } = await import('./diff-output.ts')
  showDiff(report, given, terminal)
  const style = styleFor(terminal.colours)
  if (!report.ok && !given.flags.has('silent'))
    terminal.err(
      `${style.red('Changes that fail the check')} in ${report.failOn.join(', ')}, deployed ${report.order}.\n`,
    )
  return report.ok ? exitCode.ok : exitCode.findings
}

function classesGiven(text: string | undefined): ChangeClass[] {
  if (text === undefined) return ['wire']
  if (text === 'none') return []
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => !changeClasses.some((known) => known === name))
  if (unknown.length === 0) return names as ChangeClass[]
  throw new GeneratorError(
    'invalid_usage',
    unknown.map((name) => ({
      message: `Option --fail-on has the unknown class "${name}".${didYouMean(name, changeClasses)}`,
      fix: `Classes: ${changeClasses.join(', ')}, or none.`,
    })),
  )
}
