import { type RatchetMode, ratchetModes } from '../budget/ratchet-modes.ts'
import { findingText } from '../findings/finding-text.ts'
import type { LintReport } from '../lint/lint.ts'
import { projectRoot, showAnnotations } from './annotations.ts'
import type { Command, Given } from './command.ts'
import { configOptions } from './config-options.ts'
import { styleFor } from './style.ts'
import { type ExitCode, exitCode, type Terminal } from './terminal.ts'

export const lintCommand: Command = {
  about: `Reports everything about the definitions, without writing files: errors, warnings and notes with their
places; how much of each limit of each dialect the Tools use; what a dialect does not carry as declared; and
the tokens of each Tool. Exits with 1 if there is an error or a warning; notes alone exit with 0.`,
  options: {
    budget: {
      type: 'string',
      value: 'MODE',
      choices: ratchetModes,
      help: 'First update the figures of the budget: lower only those that fell, accept all of them.',
    },
  },
  examples: [
    ['callsheet lint', 'before a release, or when a model does not do as declared'],
    ['callsheet lint --format github', 'in CI: annotates the pull request'],
    ['callsheet lint --format json', 'for other programs: findings, limits, losses and weights'],
    ['callsheet lint --budget lower', 'after Tools were shortened: keeps what was won'],
  ],
  run: async (given, terminal) => {
    const budget = given.values.get('budget')
    const { lint } = await import('../lint/lint.ts')
    const report = await lint({
      ...configOptions(given, terminal),
      ...(budget !== undefined && { budget: budget as RatchetMode }), // safe cast: parseArguments has checked the choices
    })
    await show(report, given, terminal)
    return exitFor(report)
  },
}

function exitFor({ ok }: LintReport): ExitCode {
  return ok ? exitCode.ok : exitCode.findings
}

async function show(report: LintReport, given: Given, terminal: Terminal): Promise<void> {
  const format = given.values.get('format')
  if (format === 'json') terminal.out(json(report))
  else if (format === 'github') {
    showAnnotations(report.findings, projectRoot(given, terminal), terminal)
  } else await showText(report, given.flags.has('silent'), terminal)
}

async function showText(report: LintReport, silent: boolean, terminal: Terminal): Promise<void> {
  const style = styleFor(terminal.colours)
  const { limitTable, lossTable, weightTable } = await import('../lint/tables.ts')
  for (const finding of report.findings) {
    if (!silent || finding.severity !== 'note') terminal.err(`${findingText(finding).trimEnd()}\n`)
  }
  if (silent) return
  for (const { output, tools, dialects, weights } of report.sets) {
    const name = report.sets.length > 1 ? ` (${output})` : ''
    terminal.out(`${tools} tool${tools === 1 ? '' : 's'}${name}\n`)
    const parts = [
      ['Limits', limitTable(dialects)],
      ['Not sent as declared', lossTable(dialects)],
      ['Where it goes', weightTable(weights)],
    ] as const
    for (const [title, table] of parts) if (table !== '') terminal.out(`\n${title}\n${table}`)
    if (lossTable(dialects) !== '')
      terminal.out('\nPlace by place: callsheet explain TOOL, or lint --format json.\n')
  }
  const count = (severity: string): string => {
    const { length } = report.findings.filter((each) => each.severity === severity)
    return `${length} ${severity}${length === 1 ? '' : 's'}`
  }
  const line = `${count('error')}, ${count('warning')}, ${count('note')}.`
  terminal.err(`${report.ok ? style.green(line) : style.red(line)}\n`)
}

function json({ ok, findings, sets }: LintReport): string {
  const shown = sets.map(({ output, tools, dialects, weights }) => ({
    output,
    tools,
    weights,
    dialects: dialects.map(({ dialect, mode, usage, losses, standIns }) => ({
      dialect,
      mode,
      usage,
      losses,
      standIns,
    })),
  }))
  return `${JSON.stringify({ ok, findings, sets: shown }, null, 2)}\n`
}
