// Compares what a project's generated Tools accept with what Ajv accepts, by their own schemas and by those of their servers, and
// sends values through each dialect: node --import tsx verdicts.ts <folder>. Prints what differs, as JSON.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { dialectNames } from '../../runtime/dialects/dialect-name.ts'
import type { ToolObject } from '../../runtime/index.ts'
import { canonicalJson } from '../../runtime/json/canonical-json.ts'
import { lower } from '../../runtime/lower/lower.ts'
import { isMetaField } from '../../runtime/schema/meta-fields.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import { RandomSource } from '../../runtime/testing/random-source.ts'
import { randomValue } from '../../runtime/testing/random-value.ts'
import { changeLeaf } from '../fuzz/changed-leaf.ts'

interface Listed {
  readonly name: string
  readonly inputSchema: JsonSchema
}

/** What a changed member becomes. */
const others: readonly unknown[] = [null, true, -1, 1.5, 1e9, '', 'other', [], {}, ['a'], [1]]

const [folder = ''] = process.argv.slice(2)
const { tools } = (await import(pathToFileURL(join(folder, 'out/generated/index.js')).href)) as {
  readonly tools: Readonly<Record<string, ToolObject>>
}
const random = new RandomSource(Number(process.env.FUZZ_SEED ?? 26))
const rounds = Number(process.env.SERVER_ROUNDS ?? 5)
const differences: string[] = []
const counts = { tools: 0, verdicts: 0, accepted: 0, lowered: 0 }

for (const file of readdirSync(folder).filter(
  (name) => name.endsWith('.json') && name !== 'package.json' && name !== 'tsconfig.json',
)) {
  const prefix = basename(file, '.json')
  const { tools: listed } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
    readonly tools: readonly Listed[]
  }
  for (const { name, inputSchema } of listed) await compare(`${prefix}.${name}`, inputSchema)
}
console.log(JSON.stringify({ counts, differences: differences.slice(0, 20) }))

async function compare(name: string, schema: JsonSchema): Promise<void> {
  const tool = tools[name]
  if (!tool) {
    differences.push(`${name} was not generated`)
    return
  }
  counts.tools++
  const ofServer = judgeOf(schema)
  const ofTool = judgeOf(tool)
  const plain = parametersOf(tool)
  const lowered = dialectNames.map((dialect) => lower(plain, dialect))
  for (let round = 0; round < rounds; round++) {
    const value = randomValue(plain, random)
    const tried = [value, ...Array.from({ length: 6 }, () => changed(value))]
    for (const each of tried) {
      const accepts = (await tool['~standard'].validate(each)).issues === undefined
      counts.verdicts++
      if (accepts !== ofTool({ _tool: name, ...(each as object) }))
        differences.push(`${name}: ${accepts}, Ajv by the generated schema not: ${JSON.stringify(each)}`)
      if (!accepts) continue
      counts.accepted++
      if (!ofServer(each))
        differences.push(`${name}: accepted, and its server would not: ${JSON.stringify(each)}`)
    }
    for (const { dialect, lift, toLowered } of lowered) {
      counts.lowered++
      if (canonicalJson(lift(toLowered(value))) !== canonicalJson(value)) {
        differences.push(`${name}: does not come back from ${dialect}: ${JSON.stringify(value)}`)
      }
    }
  }
}

/** The schema of a Tool without the meta-fields, which are no arguments. */
function parametersOf(tool: ToolObject): JsonSchema {
  const { properties = {}, required = [], ...rest } = JSON.parse(JSON.stringify(tool)) as JsonSchema
  const parameters = Object.entries(properties).filter(([name]) => !isMetaField(name))
  return {
    ...rest,
    properties: Object.fromEntries(parameters),
    required: required.filter((name) => !isMetaField(name)),
  }
}

function judgeOf(schema: object): (value: unknown) => boolean {
  const isOld = '$schema' in schema && String(schema.$schema).includes('draft-07')
  const ajv = new (isOld ? Ajv : Ajv2020)({ strict: false, logger: false })
  addFormats.default(ajv)
  const check = ajv.compile(schema)
  return (value) => check(value) as boolean
}

/** A copy with one member changed, removed or added. */
function changed(value: unknown): unknown {
  const copy = { whole: structuredClone(value) }
  if (random.next() < 0.1) return { ...(copy.whole as object), other: 1 }
  const to = random.next() < 0.2 ? undefined : { value: others[random.between(0, others.length - 1)] }
  changeLeaf(copy.whole, random.between(0, 1_000), to)
  return copy.whole
}
