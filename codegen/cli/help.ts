import { type CommandEntry, type CommandHelp, commonOptions, type OptionSpecs } from './command.ts'
import type { Style } from './style.ts'

/** Prints the help of the whole command line. */
export function generalHelp(commands: Readonly<Record<string, CommandEntry>>, style: Style): string {
  const names = Object.entries(commands).map(([name, { summary }]) => [name, summary] as const)
  return `${style.bold('callsheet')}: declare an LLM tool once; generate its types, validators and schemas.

${style.bold('Usage')}
  callsheet <command> [options]

${style.bold('Commands')}
${columns(names)}

${style.bold('A first Tool')}
  1. Declare it in definitions/weather.ts:

     import { Type } from 'typebox'
     import { tool } from 'callsheet'

     export const weatherCheck = tool('weatherCheck', {
       location: Type.String({ description: 'City and country' }),
       _output: Type.Object({ temperature: Type.Number() }),
     }, { description: 'Current weather at a location.' })

  2. Run \`callsheet generate\`. It writes generated/, which you commit and never edit.
  3. Implement it: \`import { Activity } from './generated/index.js'\`, then \`Activity.register('weatherCheck', ...)\`.
  4. Have CI run \`callsheet generate --check\`.

${style.bold('Options of every command')}
${optionLines(commonOptions)}

${style.bold('Exit code')}
  0 all is well   1 findings: wrong definitions, stale files   2 wrong usage or configuration, or a fault

\`callsheet <command> --help\` shows the details of a command, \`callsheet --version\` the version.
`
}

/** Whether the line asks for help, which wins over any mistake in it. */
export function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return (end < 0 ? args : args.slice(0, end)).some((argument) => argument === '--help' || argument === '-h')
}

/** Prints the help of one command. */
export function commandHelp(name: string, command: CommandHelp, style: Style): string {
  const operands = command.operands === undefined ? '' : ` ${command.operands}`
  return `${style.bold('Usage')}
  callsheet ${name}${operands} [options]

${command.about}

${style.bold('Options')}
${optionLines({ ...command.options, ...withoutOwn(commonOptions, command.options) })}

${style.bold('Examples')}
${columns(command.examples)}
`
}

/** Removes common options that the command declares itself. */
function withoutOwn(common: OptionSpecs, own: OptionSpecs): OptionSpecs {
  return Object.fromEntries(Object.entries(common).filter(([name]) => !Object.hasOwn(own, name)))
}

function optionLines(options: OptionSpecs): string {
  return columns(
    Object.entries(options).map(([name, { short, value, help }]) => {
      const letter = short === undefined ? '    ' : `-${short}, `
      return [`${letter}--${name}${value === undefined ? '' : ` ${value}`}`, help] as const
    }),
  )
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}
