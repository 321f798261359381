import type { ExitCode, Terminal } from './terminal.ts'

/** An option of a command, with what its help says. */
export interface OptionSpec {
  readonly type: 'boolean' | 'string'
  /** One letter. */
  readonly short?: string
  /** What stands for the value in the help: `DIR`. */
  readonly value?: string
  /** The only values there are. */
  readonly choices?: readonly string[]
  readonly help: string
  /** Stands for a Tool's parameter: said once, a text may be empty, and a flag may say that it is false. */
  readonly isParameter?: true
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>

/** What the user gave: every option is declared, every choice is one of its choices. */
export interface Given {
  readonly flags: ReadonlySet<string>
  readonly values: ReadonlyMap<string, string>
  /** What stands beside the options. */
  readonly operands: readonly string[]
}

/** One command; a file each, with one line in the table of commands. */
export type Command = OptionsCommand | LineCommand

/** What the help says of a command. */
export interface CommandHelp {
  readonly options: OptionSpecs
  /** What operands it takes, as the usage line shows them; undefined when it takes none. */
  readonly operands?: string
  /** What it does, for somebody who has never seen it. */
  readonly about: string
  readonly examples: readonly (readonly [command: string, meaning: string])[]
}

/** A command that takes the options it declares, and no others. */
export interface OptionsCommand extends CommandHelp {
  run(given: Given, terminal: Terminal): Promise<ExitCode>
}

/** A command whose options depend on what it works on: those of `call` are the parameters of its Tool. */
export interface LineCommand extends CommandHelp {
  /** Runs with the line as it was given. Asked for help, it helps. */
  runLine(
    args: readonly string[],
    terminal: Terminal,
    commands: Readonly<Record<string, CommandEntry>>,
  ): Promise<ExitCode>
  /** What a shell offers beside the declared options. */
  completing?(before: readonly string[], current: string, terminal: Terminal): Promise<Completing>
}

/** What could be written after a command, where it is not its declared options. */
export interface Completing {
  /** What could stand here instead of an option. */
  readonly operands?: readonly { readonly word: string; readonly help: string }[]
  /** Options that the line has besides those declared. */
  readonly options?: OptionSpecs
}

/** A command's place in the table; its file is loaded when it is asked for. */
export interface CommandEntry {
  readonly summary: string
  load(): Promise<Command>
}

/** Options that every command takes. */
export const commonOptions: OptionSpecs = {
  config: {
    type: 'string',
    short: 'c',
    value: 'FILE',
    help: 'The configuration. Default: callsheet.config.{ts,mts,js,mjs,json}.',
  },
  cwd: { type: 'string', value: 'DIR', help: 'Run in this folder.' },
  format: {
    type: 'string',
    value: 'FORMAT',
    choices: ['text', 'json', 'github'],
    help: 'How findings are written: text for people, json, or github annotations. Default: text.',
  },
  silent: { type: 'boolean', short: 's', help: 'Print only problems.' },
  help: { type: 'boolean', short: 'h', help: 'Show this help.' },
}
