import { briefly } from '../../runtime/problems/problem.ts'
import { shorten } from '../../runtime/problems/shorten.ts'
import { GeneratorError } from '../generator-error.ts'
import { didYouMean } from '../names/nearest-name.ts'
import { commonOptions } from './command.ts'
import { commands } from './commands.ts'
import { faultReport, formatAskedFor } from './fault-report.ts'
import { asksForHelp, commandHelp, generalHelp } from './help.ts'
import { parseArguments } from './parse-arguments.ts'
import { styleFor } from './style.ts'
import { type ExitCode, exitCode, type Terminal } from './terminal.ts'
import { installedVersion } from './version.ts'

/** Runs a command line: everything after `callsheet`. Never throws; returns the exit code. */
export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    return await dispatch(args, terminal)
  } catch (error) {
    faultReport(error, formatAskedFor(args), terminal)
    return exitCode.fault
  }
}

async function dispatch(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [name, ...rest] = args
  if (name === undefined) {
    terminal.err(generalHelp(commands, styleFor(terminal.colours)))
    return exitCode.fault
  }
  if (name === '--version' || name === '-v') {
    terminal.out(`${installedVersion()}\n`)
    return exitCode.ok
  }
  if (name === '--help' || name === '-h' || (name === 'help' && rest.length === 0)) {
    terminal.out(generalHelp(commands, styleFor(terminal.colours)))
    return exitCode.ok
  }
  if (name === 'help') return dispatch([rest[0] ?? '', '--help'], terminal)
  return runCommand(name, rest, terminal)
}

async function runCommand(name: string, rest: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (entry === undefined) throw unknownCommand(name)
  const command = await entry.load()
  if ('runLine' in command) return command.runLine(rest, terminal, commands)
  if (asksForHelp(rest)) {
    terminal.out(commandHelp(name, command, styleFor(terminal.colours)))
    return exitCode.ok
  }
  const { operands } = command
  return command.run(
    parseArguments(rest, { ...commonOptions, ...command.options }, { name, operands }),
    terminal,
  )
}

function unknownCommand(name: string): GeneratorError {
  const known = Object.keys(commands)
  const message = name.startsWith('-')
    ? `Option ${shorten(name, 60)} stands before the command.`
    : `Unknown command ${briefly(name)}.${didYouMean(name, known)}`
  const fix = `Commands: ${known.join(', ')}. See \`callsheet --help\`.`
  return new GeneratorError('invalid_usage', [{ message, fix }])
}
