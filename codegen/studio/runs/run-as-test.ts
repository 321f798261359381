import { isJsonObject, type JsonObject } from '../../../runtime/json/json.ts'
import type { TestText } from '../wire/runs.ts'
import { answerOf, asText, callsOf, type RecordedRun, type Step, unknownCallsOf } from './recorded-run.ts'
import { statusOf } from './run-views.ts'

/**
 * Prints a recorded run as a test: the model's answers as a script, and the results as expectations. Calls that were not approved
 * do not run in the test either. Imports are relative to a folder `test/` of the project.
 *
 * @returns undefined if the record has no answer of a model.
 */
export function runAsTest(id: string, record: RecordedRun): TestText | undefined {
  const steps = record.lastRun
  const requests = steps.filter((step) => answerOf(step) !== undefined)
  const [first] = requests
  if (!first) return undefined
  const turns = requests.map((step) => {
    const { solution, usage } = answerOf(step) ?? {}
    const { output } = isJsonObject(solution) ? solution : {}
    // Last, because the ids of Calls that run contain their place.
    const calls = [...callsOf(step), ...unknownCallsOf(step)]
    return {
      ...(calls.length > 0 && { calls }),
      ...(output !== undefined && output !== null && { output }),
      ...(usage && { usage }),
    }
  })
  const context = record.contextOf(first)
  const ran = steps.filter(({ kind }) => kind === 'call')
  const unknown = requests.flatMap(unknownCallsOf).map(({ _tool }) => asText(_tool))
  // Sorted: steps are recorded in the order of their start, but the run resolves with the order of the plan.
  const ended = ran
    .filter((step) => !['waiting', 'running'].includes(statusOf(step)))
    .map((step) => `${asText(step.call._tool)} ${statusOf(step)}`)
    .concat(unknown.map((name) => `${name} failed`))
    .sort()
  // The result of an agent has no goal: any output is one.
  const goal =
    record.goal ?? goalIn(answerOf(first)?.schema) ?? ((record.output ?? null) === null ? undefined : {})
  const code = record.approvals.length > 0 ? 'approval_pending' : record.error?.code
  const answers = answersOf(ran)
  const outputs = askedOutputs(ran)
  const name = id.replace(/\.jsonl?$/, '')
  const options = [
    "model: 'scripted'",
    'client',
    'tools: Tool',
    `context: ${literal(context, '    ')}`,
    ...(goal === undefined ? [] : [`output: ${literal(goal, '    ')}`]),
    ...(record.search === undefined
      ? []
      : [`search: ${literal(searchOf(record.search, ran, unknown), '    ')}`]),
    ...(code === 'limit_reached' ? [`maxTurns: ${turns.length}`] : []),
    // The ids of Calls begin with that of their run.
    ...(answers || outputs ? [`runId: ${quoted(first.key.slice(0, first.key.lastIndexOf(':')))}`] : []),
    ...(outputs ? ['latent: { answer: async ({ id }) => outputs.get(id) }'] : []),
    ...(answers ? ['confirm: (_call, { id }) => answers.get(id) ?? true'] : []),
  ]
  const text = `${importsOf(code, answers !== undefined)}
test(${quoted(`${name}: the same answers lead to the same Calls`)}, async () => {
  const client = scriptedModel(${literal(turns, '  ')})
${mapOf('answers', 'ConfirmAnswer', answers)}${mapOf('outputs', 'unknown', outputs)}  const run = Agent({
${options.map((option) => `    ${option},\n`).join('')}  })
${code === undefined ? succeeds(record.output) : fails(code)}
  expect(outcomes.map(({ tool, status }) => [tool, status].join(' ')).sort()).toEqual(${literal(ended, '  ')})
})
`
  return { name: `${name.split('/').at(-1) ?? 'run'}.test.ts`, text }
}

/** Declares a map by the ids of Calls, if there is one. */
function mapOf(name: string, type: string, entries: [string, unknown][] | undefined): string {
  return entries ? `  const ${name} = new Map<string, ${type}>(${literal(entries, '  ')})\n` : ''
}

/** Returns the confirmations of Calls that did not run, by id; undefined if all ran. */
function answersOf(ran: readonly Step[]): [string, unknown][] | undefined {
  const answers = ran.flatMap((step): [string, unknown][] => {
    const status = statusOf(step)
    if (status === 'waiting') return [[step.key, 'pending']]
    return status === 'refused' ? [[step.key, { refuse: 'as it was' }]] : []
  })
  return answers.length > 0 ? answers : undefined
}

/** Returns the options of the search. What was offered from the start is not recorded: at most what ran and was never refused. */
function searchOf(search: JsonObject, ran: readonly Step[], unknown: readonly string[]): JsonObject {
  const names = new Set(ran.map(({ call }) => asText(call._tool)))
  for (const name of [search.name, ...unknown]) names.delete(asText(name))
  return { ...search, pinned: [...names] }
}

/**
 * Returns the outputs of Calls that a model was asked for apart from the answer that made them (delegates too), by id; undefined
 * if there are none. The record has no script for those Requests.
 */
function askedOutputs(ran: readonly Step[]): [string, unknown][] | undefined {
  const asked = ran.filter(
    ({ call, outcome }) =>
      outcome?.mode === 'latent' && (outcome.delegated === true || call._output === undefined),
  )
  if (asked.length === 0) return undefined
  return asked.flatMap(({ key, outcome }): [string, unknown][] =>
    outcome?.status === 'succeeded' ? [[key, outcome.output]] : [],
  )
}

function succeeds(output: unknown): string {
  return `  const { output, outcomes } = await run
  expect(output).toEqual(${literal(output ?? null, '  ')})`
}

/** Prints the expected failure. A failed Request has no answer for the script, so the test ends with another code there. */
function fails(code: string): string {
  const isOfLoop = ['approval_pending', 'limit_reached', 'stalled', 'plan_cycle'].includes(code)
  return `  const error: unknown = await run.catch((thrown: unknown) => thrown)
  if (!(error instanceof LoopError)) throw error
${isOfLoop ? `  expect(error.code).toBe(${quoted(code)})\n` : ''}  const { outcomes } = error.result`
}

/** As they are from a folder of tests in the project. */
function importsOf(code: string | undefined, isAsked: boolean): string {
  return [
    [
      `{ Agent${code === undefined ? '' : ', LoopError'}${isAsked ? ', type ConfirmAnswer' : ''} }`,
      'callsheet/agent',
    ],
    ['{ scriptedModel }', 'callsheet/testing'],
    ['{ expect, test }', 'vitest'],
    ['{ Tool }', '../generated/index.js'],
  ]
    .map(([names, from]) => `import ${names} from '${from}'\n`)
    .join('')
    .concat('// Import the files that register the Activities of these Tools as well.\n')
}

/** The goal in a composed schema. */
function goalIn(schema: unknown): unknown {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) return undefined
  return schema.properties.output
}

/** JSON that is TypeScript as well: two characters end a line there and not in JSON. */
function literal(value: unknown, indent: string): string {
  const text = JSON.stringify(value, null, 2) ?? 'null'
  return escaped(text).replaceAll('\n', `\n${indent}`)
}

function quoted(text: string): string {
  return escaped(JSON.stringify(text))
}

/** `__proto__` as a plain member would set the prototype of what is written. */
function escaped(text: string): string {
  return text
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
    .replaceAll(/^(\s*)"__proto__":/gm, '$1["__proto__"]:')
}
