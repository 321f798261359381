import type { Outcome } from '../../runtime/call/outcome.ts'
import { isJsonObject } from '../../runtime/json/json.ts'
import { withoutMark } from '../../runtime/json/without-mark.ts'
import { briefly } from '../../runtime/problems/problem.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import type { OutcomeJson } from '../../runtime/server/outcome-json.ts'
import type { ServedTool } from '../../runtime/server/served-tools.ts'
import { withoutInstances } from '../../runtime/server/without-instances.ts'
import { GeneratorError } from '../generator-error.ts'
import { didYouMean } from '../names/nearest-name.ts'
import { placeOf } from './call-place.ts'
import { type Completing, commonOptions, type Given, type LineCommand, type OptionSpecs } from './command.ts'
import { asksForHelp, commandHelp } from './help.ts'
import { parameterOptions, parametersFrom, withoutOption } from './parameter-options.ts'
import { parseArguments } from './parse-arguments.ts'
import { styleFor } from './style.ts'
import { type ExitCode, exitCode, type Terminal } from './terminal.ts'

const ownOptions: OptionSpecs = {
  json: {
    type: 'string',
    value: 'JSON',
    help: 'The parameters as JSON, or - for standard input; options override them.',
  },
  url: {
    type: 'string',
    value: 'URL',
    help: 'Run it on a server (callsheet serve) instead of in this project.',
  },
  header: {
    type: 'string',
    value: 'NAME:VALUE',
    help: 'With --url: a header, such as "authorization: Bearer …".',
  },
  outcome: { type: 'boolean', help: 'Print the whole Outcome instead of only the output.' },
  set: {
    type: 'string',
    value: 'DIR',
    help: 'The set of Tools to use, by its output folder, if there are several.',
  },
}

export const callCommand: LineCommand = {
  operands: 'TOOL',
  about: `Runs one Call of a Tool in this project, or on a server with --url. Its options are the parameters of the Tool:
callsheet call TOOL --help lists them. Prints the output as JSON; exits with 1 when the Call fails.`,
  options: ownOptions,
  examples: [
    ['callsheet call weatherCheck --location Oslo', 'one option per parameter'],
    [`callsheet call weatherCheck --json '{"location":"Oslo"}'`, 'all of them as JSON'],
    ['callsheet call weatherCheck --help', 'the parameters of the Tool'],
    ['callsheet call weatherCheck --location Oslo --url http://127.0.0.1:3000', 'on a server'],
  ],
  runLine,
  completing,
}

async function runLine(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const wantsHelp = asksForHelp(args)
  // The Tool's name has to come before the first option: a word after an option may be its value.
  const [name] = args
  if (name === undefined || name.startsWith('-')) {
    if (!wantsHelp) throw nameATool()
    terminal.out(commandHelp('call', callCommand, styleFor(terminal.colours)))
    return exitCode.ok
  }
  const place = await placeOf(args.slice(1), terminal)
  const tool = await place.tool(name)
  if (!tool) {
    throw new GeneratorError('invalid_usage', [
      {
        message: `There is no Tool "${name}".${didYouMean(name, place.names)}`,
        fix: `Tools: ${place.names.join(', ') || 'none'}.`,
      },
    ])
  }
  const options = parameterOptions(tool.inputSchema, { ...ownOptions, ...commonOptions })
  if (wantsHelp) {
    terminal.out(toolHelp(tool, options, terminal))
    return exitCode.ok
  }
  const given = parseArguments(
    args.slice(1),
    { ...options, ...ownOptions, ...commonOptions },
    { name: `call ${name}`, operands: undefined },
  )
  const parameters = {
    ...(await jsonParameters(name, given, terminal)),
    ...parametersFrom(given, tool.inputSchema, options),
  }
  const outcome = await place.run({ ...parameters, _tool: name })
  return show(outcome, given, terminal)
}

/** Completes the names of Tools, then the parameters of the named Tool. Loads no file that registers Activities. */
async function completing(
  before: readonly string[],
  current: string,
  terminal: Terminal,
): Promise<Completing> {
  const [name, ...more] = before
  if (name === undefined && current.startsWith('-')) return {}
  const place = await placeOf(more, terminal, 'contract')
  if (name === undefined) {
    const tools = await Promise.all(place.names.map((each) => place.tool(each)))
    return {
      operands: tools.flatMap((tool) => (tool ? [{ word: tool.name, help: tool.description ?? '' }] : [])),
    }
  }
  const tool = await place.tool(name)
  return { options: tool ? parameterOptions(tool.inputSchema, { ...ownOptions, ...commonOptions }) : {} }
}

function nameATool(): GeneratorError {
  return new GeneratorError('invalid_usage', [
    {
      message: 'call takes the name of a Tool first, got none.',
      fix: 'Name one: callsheet call weatherCheck --location Oslo.',
    },
  ])
}

async function jsonParameters(
  name: string,
  given: Given,
  terminal: Terminal,
): Promise<Record<string, unknown>> {
  const text = given.values.get('json')
  if (text === undefined) return {}
  const source = text === '-' ? await terminal.readInput() : text
  let value: unknown
  try {
    value = JSON.parse(withoutMark(source))
  } catch (error) {
    throw new GeneratorError('invalid_usage', [
      {
        message: `--json is not JSON: ${(error as SyntaxError).message}.`,
        fix: `Write an object: --json '{"location":"Oslo"}'. Where the shell takes the quotes away, as on Windows, pipe it in: --json -.`,
      },
    ])
  }
  if (isJsonObject(value)) {
    if (value._tool === undefined || value._tool === name) return value
    throw new GeneratorError('invalid_usage', [
      {
        message: `--json names the Tool ${briefly(value._tool)}, and "${name}" is called.`,
        fix: 'Call that one, or leave "_tool" out.',
      },
    ])
  }
  throw new GeneratorError('invalid_usage', [
    { message: '--json is not an object.', fix: `Write the parameters: --json '{"location":"Oslo"}'.` },
  ])
}

function show(outcome: Outcome | OutcomeJson, given: Given, terminal: Terminal): ExitCode {
  if (given.flags.has('outcome')) terminal.out(`${JSON.stringify(outcome, null, 2)}\n`)
  else if (outcome.status === 'succeeded' && outcome.output !== undefined) {
    terminal.out(`${JSON.stringify(outcome.output, null, 2)}\n`)
  }
  if (outcome.status === 'succeeded') return exitCode.ok
  const {
    code,
    message,
    problems = [],
  } = withoutInstances(outcome.error ?? { name: '', code: outcome.status, message: 'It did not run.' })
  terminal.err(`${code}: ${message}\n`)
  for (const problem of problems)
    if (!message.includes(problem.message)) terminal.err(`  ${problem.message}\n`)
  return exitCode.findings
}

function toolHelp(
  { name, description = '', inputSchema }: ServedTool,
  options: OptionSpecs,
  terminal: Terminal,
): string {
  const required = new Set((inputSchema as JsonSchema).required ?? [])
  const marked = Object.fromEntries(
    Object.entries(options).map(([option, spec]) => [
      option,
      required.has(option)
        ? { ...spec, help: `${spec.help.replace(/(?<=\w)$/, '.')} Required.`.trim() }
        : spec,
    ]),
  )
  const [example] = Object.keys(marked)
  const hidden = withoutOption(inputSchema as JsonSchema, options)
  const byJson =
    hidden.length === 0 ? [] : [`By --json alone, since no option has their name: ${hidden.join(', ')}.`]
  const command = {
    about: [description, ...byJson].filter(Boolean).join('\n\n'),
    options: { ...marked, ...ownOptions },
    examples: [
      [`callsheet call ${name}${example === undefined ? '' : ` --${example} …`}`, 'to run it'] as const,
    ],
  }
  return commandHelp(`call ${name}`, command, styleFor(terminal.colours))
}
