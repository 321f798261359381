import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findingText } from '../findings/finding-text.ts'
import { hasError } from '../findings/has-error.ts'
import { GeneratorError } from '../generator-error.ts'
import type { Finding } from '../model.ts'
import type { ReadSet } from '../read-models.ts'
import { manifestName } from '../write/marker.ts'
import { unifiedDiff } from '../write/unified-diff.ts'
import { projectRoot, showAnnotations } from './annotations.ts'
import type { Command, Given } from './command.ts'
import { configOptions } from './config-options.ts'
import { styleFor } from './style.ts'
import { type ExitCode, exitCode, type Terminal } from './terminal.ts'

export const scaffoldCommand: Command = {
  about: `Writes an implementation file for each Tool that has no Activity yet: activities/<tool>.ts, typed, with
the parameters destructured and a body that throws "not implemented". The files are yours: existing ones are
never changed, unless --merge inserts missing registrations, after showing the diff.`,
  options: {
    merge: {
      type: 'boolean',
      help: 'Insert missing registrations into files that exist, after showing the diff.',
    },
    yes: { type: 'boolean', short: 'y', help: 'With --merge: insert without asking.' },
  },
  examples: [
    ['callsheet scaffold', 'after declaring a Tool'],
    ['callsheet scaffold --merge', 'adds new members of a toolkit to its file'],
    ['callsheet scaffold --merge --yes', 'in a script, without a prompt'],
  ],
  run: scaffoldAll,
}

async function scaffoldAll(given: Given, terminal: Terminal): Promise<ExitCode> {
  const merge = given.flags.has('merge')
  refuseContradictions(given, terminal, merge)
  const { readModels } = await import('../read-models.ts')
  const sets = await readModels(configOptions(given, terminal))
  const wrong = sets.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'error'))
  if (wrong.length > 0) {
    show({ ok: false, written: [], merged: [], gaps: [], orphans: [], findings: wrong }, [], given, terminal)
    return exitCode.findings
  }
  const { scaffold } = await import('../scaffold/scaffold.ts')
  const { coverageLines } = await import('../scaffold/coverage.ts')
  const confirm = (files: Parameters<Parameters<typeof scaffold>[1]['confirm']>[0]) =>
    confirmInsertions(files, given, terminal)
  const results = []
  for (const set of sets) results.push(await scaffold(set, { merge, confirm }))
  const findings = results.flatMap((result) => result.findings)
  const report: ScaffoldReport = {
    ok: !hasError(findings),
    written: results.flatMap((result) => result.written),
    merged: results.flatMap((result) => result.merged),
    gaps: results.flatMap((result) => result.coverage.gaps),
    orphans: results.flatMap((result) => result.coverage.orphans.map(({ name, at }) => ({ name, at }))),
    findings,
  }
  const lines = results.flatMap(({ coverage, folder, output }) =>
    coverageLines(coverage, folder, sets.length === 1 ? undefined : output),
  )
  show(report, lines, given, terminal)
  if (report.written.length + report.merged.length > 0) await generateAgain(sets, given, terminal)
  return report.ok ? exitCode.ok : exitCode.findings
}

/** Generates again: registrations influence what is generated (ACT-3b), so existing output would be stale now. */
async function generateAgain(sets: readonly ReadSet[], given: Given, terminal: Terminal): Promise<void> {
  const isGenerated = sets.some(({ settings }) =>
    existsSync(join(settings.root, settings.output, manifestName)),
  )
  if (!isGenerated) return
  const { generate } = await import('../generate.ts')
  const { ok, changes } = await generate(configOptions(given, terminal))
  if (!given.flags.has('silent') && ok && changes.length > 0)
    terminal.err(`Generated again, since Tools are implemented now: ${changes.length} files changed.\n`)
}

/** The result of scaffolding, as `--format json` prints it. */
interface ScaffoldReport {
  readonly ok: boolean
  readonly written: readonly string[]
  readonly merged: readonly string[]
  readonly gaps: readonly string[]
  readonly orphans: readonly { readonly name: string; readonly at: object }[]
  readonly findings: readonly Finding[]
}

function refuseContradictions(given: Given, terminal: Terminal, merge: boolean): void {
  const yes = given.flags.has('yes')
  if (yes && !merge) {
    const fault = {
      message: '--yes confirms --merge, which was not given.',
      fix: 'Add --merge.',
    }
    throw new GeneratorError('invalid_usage', [fault])
  }
  if (merge && !yes && !terminal.ask) {
    const fault = {
      message: '--merge asks before it changes files, and there is no terminal to ask in.',
      fix: 'Add --yes to insert without asking, or leave out --merge.',
    }
    throw new GeneratorError('invalid_usage', [fault])
  }
}

/** Shows the insertions as a diff and asks for confirmation. */
async function confirmInsertions(
  files: readonly { readonly path: string; readonly before: string; readonly after: string }[],
  given: Given,
  terminal: Terminal,
): Promise<boolean> {
  if (!given.flags.has('silent') || !given.flags.has('yes')) {
    terminal.err(files.map((file) => unifiedDiff(file)).join(''))
  }
  if (given.flags.has('yes')) return true
  const answer = await terminal.ask?.(
    `Insert this into ${files.length} file${files.length === 1 ? '' : 's'}? [y/N] `,
  )
  return /^y(?:es)?$/i.test(answer?.trim() ?? '')
}

function show(report: ScaffoldReport, lines: readonly string[], given: Given, terminal: Terminal): void {
  const format = given.values.get('format')
  if (format === 'json') {
    terminal.out(`${JSON.stringify(report, null, 2)}\n`)
    return
  }
  if (format === 'github') {
    showAnnotations(report.findings, projectRoot(given, terminal), terminal)
    return
  }
  const style = styleFor(terminal.colours)
  const silent = given.flags.has('silent')
  for (const finding of report.findings) {
    if (!silent || finding.severity === 'error') terminal.err(`${findingText(finding).trimEnd()}\n`)
  }
  if (silent) return
  terminal.out([...report.written, ...report.merged].map((path) => `${path}\n`).join(''))
  for (const line of lines) terminal.err(`${line}\n`)
  const { written, merged } = report
  terminal.err(
    `${report.ok ? style.green('Scaffolded:') : style.red('Not all scaffolded:')} ${written.length} written, ${merged.length} merged.\n`,
  )
}
