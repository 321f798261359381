import type { ExitCode, Terminal } from './terminal.ts'

/** An option of a command, with its help text. */
export interface OptionSpec {
  readonly type: 'boolean' | 'string'
  /** One letter. */
  readonly short?: string
  /** Placeholder of the value in the help: `DIR`. */
  readonly value?: string
  /** The allowed values; any value if absent. */
  readonly choices?: readonly string[]
  readonly help: string
  /** Set for a Tool's parameter: it may be given once only, a string may be empty, and a flag may be false. */
  readonly isParameter?: true
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>

/** The parsed command line. Every option is declared, and every value is one of the option's choices. */
export interface Given {
  readonly flags: ReadonlySet<string>
  readonly values: ReadonlyMap<string, string>
  /** The arguments that are not options. */
  readonly operands: readonly string[]
}

/** A command. Each has a file of its own and an entry in the table of commands. */
export type Command = OptionsCommand | LineCommand

/** The parts of a command's help. */
export interface CommandHelp {
  readonly options: OptionSpecs
  /** Its operands as the usage line shows them; undefined if it takes none. */
  readonly operands?: string
  /** A description for new users. */
  readonly about: string
  readonly examples: readonly (readonly [command: string, meaning: string])[]
}

/** A command with fixed options. */
export interface OptionsCommand extends CommandHelp {
  run(given: Given, terminal: Terminal): Promise<ExitCode>
}

/** A command whose options depend on its operands: the options of `call` are the parameters of the Tool. */
export interface LineCommand extends CommandHelp {
  /** Runs with the unparsed arguments. Handles `--help` itself. */
  runLine(
    args: readonly string[],
    terminal: Terminal,
    commands: Readonly<Record<string, CommandEntry>>,
  ): Promise<ExitCode>
  /** Shell completion in addition to the declared options. */
  completing?(before: readonly string[], current: string, terminal: Terminal): Promise<Completing>
}

/** Completions of a command's arguments, in addition to its declared options. */
export interface Completing {
  /** Possible operands at the cursor. */
  readonly operands?: readonly { readonly word: string; readonly help: string }[]
  /** Options in addition to those declared. */
  readonly options?: OptionSpecs
}

/** An entry in the table of commands. The command's file is loaded on use. */
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
