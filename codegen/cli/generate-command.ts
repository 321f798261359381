import { resolve } from 'node:path'
import type { GenerateOptions } from '../generate.ts'
import { type Fault, GeneratorError } from '../generator-error.ts'
import { projectRoot } from './annotations.ts'
import type { Command, Given } from './command.ts'
import type { ReportView } from './report-output.ts'
import { type ExitCode, exitCode, type Terminal } from './terminal.ts'

export const generateCommand: Command = {
  about: `Reads the definitions and writes the output folder: an interface per Call and output, a precompiled
validator for each, the schemas, the wiring and the composed schema of every dialect. All or nothing: when
a definition is wrong, every error is listed and no file changes. Files that are up to date are not touched,
obsolete ones are removed, and a file that callsheet did not write is never overwritten.`,
  options: {
    check: {
      type: 'boolean',
      help: 'Write nothing; list stale files and exit with 1.',
    },
    diff: { type: 'boolean', help: 'With --check: print a unified diff of those files instead.' },
    watch: {
      type: 'boolean',
      short: 'w',
      help: 'Generate again whenever a definition or the configuration changes.',
    },
    'no-cache': {
      type: 'boolean',
      help: 'Do all the work even when no input has changed since the last run.',
    },
  },
  examples: [
    ['callsheet generate', 'after changing a definition'],
    ['callsheet generate --watch', 'while working on definitions'],
    ['callsheet generate --check --format github', 'in CI: annotates the pull request'],
    ['callsheet generate --check --diff', 'to see what is stale, and how'],
  ],
  run: async (given, terminal) => {
    refuseContradictions(given)
    return given.flags.has('watch') ? watchDefinitions(given, terminal) : generateOnce(given, terminal)
  },
}

async function generateOnce(given: Given, terminal: Terminal): Promise<ExitCode> {
  const startedAt = performance.now()
  const { check, generate } = await import('../generate.ts')
  const checking = given.flags.has('check')
  const report = await (checking ? check : generate)(generateOptions(given, terminal))
  const { showReport } = await import('./report-output.ts')
  const view = reportView(given, performance.now() - startedAt, terminal)
  showReport(report, view, terminal)
  if (report.ok && view.format === 'text' && !view.silent) {
    const { showCoverage } = await import('./coverage-output.ts')
    showCoverage(report.implementations, terminal)
  }
  return report.ok ? exitCode.ok : exitCode.findings
}

async function watchDefinitions(given: Given, terminal: Terminal): Promise<ExitCode> {
  const { watch } = await import('../watch/watch.ts')
  const { showRound } = await import('./watch-output.ts')
  await watch({
    ...generateOptions(given, terminal),
    signal: terminal.interruptible(),
    onRound: (round, changed, milliseconds) =>
      showRound(round, changed, reportView(given, milliseconds, terminal), terminal),
  })
  return exitCode.ok
}

function refuseContradictions(given: Given): void {
  const faults: Fault[] = []
  if (given.flags.has('check') && given.flags.has('watch')) {
    faults.push({
      message: '--check writes nothing and --watch writes on every change.',
      fix: 'Give one of the two.',
    })
  }
  if (given.flags.has('diff') && !given.flags.has('check')) {
    faults.push({
      message: '--diff shows what --check finds, and --check was not given.',
      fix: 'Add --check.',
    })
  }
  if (faults.length > 0) throw new GeneratorError('invalid_usage', faults)
}

function generateOptions(given: Given, terminal: Terminal): GenerateOptions {
  const config = given.values.get('config')
  const cwd = given.values.get('cwd')
  return {
    cwd: cwd === undefined ? terminal.cwd : resolve(terminal.cwd, cwd),
    ...(config !== undefined && { config }),
    cache: !given.flags.has('no-cache'),
  }
}

function reportView(given: Given, milliseconds: number, terminal: Terminal): ReportView {
  const format = given.values.get('format')
  return {
    format: format === 'json' || format === 'github' ? format : 'text',
    checking: given.flags.has('check'),
    diff: given.flags.has('diff'),
    silent: given.flags.has('silent'),
    milliseconds: Math.round(milliseconds),
    root: () => projectRoot(given, terminal),
  }
}
