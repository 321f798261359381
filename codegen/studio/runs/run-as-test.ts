import type { Message } from '../../../runtime/context/message.ts'
import { isJsonObject } from '../../../runtime/json/json.ts'
import { answerOf, asText, type RecordedRun } from './recorded-run.ts'
import { statusOf } from './run-views.ts'

/** A test file, as text. */
export interface TestText {
  readonly name: string
  readonly text: string
}

/**
 * Writes a recorded run as a test: its model's answers as a script, and what came of them as what is expected. Imports are as they are
 * from a folder `test/` of the project.
 */
export function runAsTest(id: string, record: RecordedRun): TestText {
  const requests = record.steps.filter((step) => answerOf(step) !== undefined)
  const [first] = requests
  const turns = requests.map((step) => {
    const { solution, usage } = answerOf(step) ?? {}
    const { calls = [], output } = isJsonObject(solution) ? solution : {}
    return {
      ...(Array.isArray(calls) && calls.length > 0 && { calls }),
      ...(output !== undefined && output !== null && { output }),
      ...(usage && { usage }),
    }
  })
  const context: readonly Message[] = record.messages.slice(0, first?.before ?? 0)
  const ran = record.steps.filter(({ kind }) => kind === 'call')
  const ended = ran.map((step) => [asText(step.call._tool), statusOf(step)])
  const goal = record.goal ?? goalIn(first && answerOf(first)?.schema)
  const name = id.replace(/\.jsonl?$/, '')
  const text = `${imports}
test(${quoted(`${name}: the same answers lead to the same Calls`)}, async () => {
  const client = scriptedModel(${literal(turns, '  ')})
  const { output, outcomes } = await Agent({
    model: 'scripted',
    client,
    tools: Tool,
    context: ${literal(context, '    ')},${goal === undefined ? '' : `\n    output: ${literal(goal, '    ')},`}
  })
  expect(output).toEqual(${literal(record.output ?? null, '  ')})
  expect(outcomes.map(({ tool, status }) => [tool, status])).toEqual(${literal(ended, '  ')})
})
`
  return { name: `${name.split('/').at(-1) ?? 'run'}.test.ts`, text }
}

/** As they are from a folder of tests in the project. */
const imports: string = [
  ['{ Agent }', 'callsheet/agent'],
  ['{ scriptedModel }', 'callsheet/testing'],
  ['{ expect, test }', 'vitest'],
  ['{ Tool }', '../generated/index.js'],
]
  .map(([names, from]) => `import ${names} from '${from}'\n`)
  .join('')
  .concat('// Import the files that register the Activities of these Tools as well.\n')

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
