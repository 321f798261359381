import type { Outcome } from '../../runtime/call/outcome.ts'
import { isJsonObject } from '../../runtime/json/json.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import type { OutcomeJson } from '../../runtime/server/outcome-store.ts'
import { describe, type ServedTool } from '../../runtime/server/served-tools.ts'
import { GeneratorError } from '../generator-error.ts'
import { didYouMean } from '../nearest-name.ts'
import type { ProjectOptions } from '../project/load-project.ts'
import { type Completing, commonOptions, type Given, type LineCommand, type OptionSpecs } from './command.ts'
import { configOptions } from './config-options.ts'
import { asksForHelp, commandHelp } from './help.ts'
import { parameterOptions, parametersFrom } from './parameter-options.ts'
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
    help: 'Run it at a server (callsheet serve) instead of in this project.',
  },
  header: {
    type: 'string',
    value: 'NAME:VALUE',
    help: 'With --url: a header, such as "authorization: Bearer …".',
  },
  outcome: { type: 'boolean', help: 'Print the whole Outcome instead of the output alone.' },
  set: {
    type: 'string',
    value: 'DIR',
    help: 'Which set of Tools, by its output folder, where there are several.',
  },
}

export const callCommand: LineCommand = {
  operands: 'TOOL',
  about: `Runs one Call of a Tool in this project, or at a server with --url. Its options are the parameters of the Tool:
callsheet call TOOL --help lists them. Prints the output as JSON; exits with 1 when the Call fails.`,
  options: ownOptions,
  examples: [
    ['callsheet call weatherCheck --location Oslo', 'one parameter an option'],
    [`callsheet call weatherCheck --json '{"location":"Oslo"}'`, 'all of them as JSON'],
    ['callsheet call weatherCheck --help', 'what the Tool takes'],
    ['callsheet call weatherCheck --location Oslo --url http://127.0.0.1:3000', 'at a server'],
  ],
  runLine,
  completing,
}

/** Where Tools are and Calls run: this project, or a server. */
interface Place {
  readonly names: readonly string[]
  tool(name: string): Promise<ServedTool | undefined>
  run(call: { readonly _tool: string }): Promise<Outcome | OutcomeJson>
}

async function runLine(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const wantsHelp = asksForHelp(args)
  // Only what stands before the first option names the Tool: what follows an option may be its value.
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
    ...(await jsonParameters(given, terminal)),
    ...parametersFrom(given, tool.inputSchema, options),
  }
  const outcome = await place.run({ ...parameters, _tool: name })
  return show(outcome, given, terminal)
}

/** The Tools, and after the name of one its parameters. No Activity's file is loaded for it. */
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

/** Reads the options that say where to run, before those of the Tool are known. */
async function placeOf(
  args: readonly string[],
  terminal: Terminal,
  parts: ProjectOptions['parts'] = 'all',
): Promise<Place> {
  const said = (option: string): string | undefined => {
    const index = args.findIndex(
      (argument) => argument === `--${option}` || argument.startsWith(`--${option}=`),
    )
    const found = args[index]
    if (index < 0 || found === undefined) return undefined
    return found.includes('=') ? found.slice(found.indexOf('=') + 1) : args[index + 1]
  }
  const url = said('url')
  if (url !== undefined) return serverAt(url, said('header'))
  const values = ['config', 'cwd', 'set'].flatMap((option) => {
    const value = said(option)
    return value === undefined ? [] : [[option, value] as const]
  })
  const given: Given = { flags: new Set(), values: new Map(values), operands: [] }
  const { loadProject } = await import('../project/load-project.ts')
  const output = given.values.get('set')
  const { Tool } = await loadProject({
    ...configOptions(given, terminal),
    ...(output !== undefined && { output }),
    parts,
  })
  return {
    names: Tool.names,
    async tool(name) {
      const schema = Tool.get(name)
      return schema && describe(name, schema)
    },
    run: (call) => Tool.run(call, { references: false }),
  }
}

async function serverAt(url: string, header: string | undefined): Promise<Place> {
  const base = url.replace(/\/$/, '')
  const [name = '', ...value] = (header ?? '').split(':')
  const headers = {
    'content-type': 'application/json',
    ...(header !== undefined && { [name.trim()]: value.join(':').trim() }),
  }
  const ask = async (path: string, body?: unknown): Promise<unknown> => {
    let response: Response
    try {
      response = await fetch(`${base}${path}`, {
        headers,
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      })
    } catch (error) {
      throw new GeneratorError('invalid_usage', [
        {
          message: `${base} does not answer: ${(error as Error).message}.`,
          fix: 'Start it: callsheet serve.',
        },
      ])
    }
    const answer: unknown = await response.json().catch(() => undefined)
    if (response.ok && isJsonObject(answer)) return answer
    const detail =
      isJsonObject(answer) && typeof answer.detail === 'string' ? answer.detail : `status ${response.status}`
    throw new GeneratorError('invalid_usage', [
      { message: `${base} refuses: ${detail}`, fix: 'See --url and --header.' },
    ])
  }
  const { tools } = (await ask('/tools')) as { tools: ServedTool[] }
  return {
    names: tools.map((tool) => tool.name),
    tool: async (wanted) => tools.find((tool) => tool.name === wanted),
    run: (call) => ask('/calls', { call, references: false }) as Promise<OutcomeJson>,
  }
}

function nameATool(): GeneratorError {
  return new GeneratorError('invalid_usage', [
    {
      message: 'call takes the name of a Tool first, got none.',
      fix: 'Name one: callsheet call weatherCheck --location Oslo.',
    },
  ])
}

async function jsonParameters(given: Given, terminal: Terminal): Promise<Record<string, unknown>> {
  const text = given.values.get('json')
  if (text === undefined) return {}
  const source = text === '-' ? await terminal.readInput() : text
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch (error) {
    throw new GeneratorError('invalid_usage', [
      {
        message: `--json is not JSON: ${(error as SyntaxError).message}.`,
        fix: `Write an object: --json '{"location":"Oslo"}'.`,
      },
    ])
  }
  if (isJsonObject(value)) return value
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
  } = outcome.error ?? { code: outcome.status, message: 'It did not run.' }
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
  const command = {
    about: description,
    options: { ...marked, ...ownOptions },
    examples: [
      [`callsheet call ${name}${example === undefined ? '' : ` --${example} …`}`, 'to run it'] as const,
    ],
  }
  return commandHelp(`call ${name}`, command, styleFor(terminal.colours))
}
