import type { Dialect } from '../dialects/dialect.ts'
import type { Problem } from '../errors.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { definitionName, pointerToken } from '../schema/schema-children.ts'
import { composedTools, toolAt } from './composed-tools.ts'
import { intersect } from './intersect.ts'
import { jsonText } from './json-text.ts'
import { isAssertion } from './keywords.ts'
import { Ledger } from './ledger.ts'
import { lowerNode } from './lower-node.ts'
import type { Lowered, Lowering } from './lowering.ts'
import { Origins } from './origins.ts'
import { recursionOf } from './recursion.ts'

/** A lowering under way, and what it has come to. */
export interface StartedLowering {
  readonly lowering: Lowering
  /** The schema without its definitions, each node with a known place. */
  readonly root: JsonSchema
  /** Definitions as lowered so far; undefined for those that no value satisfies. */
  readonly definitions: ReadonlyMap<string, Lowered | undefined>
  readonly problems: readonly Problem[]
  /** The ledger of the root, and of each definition. */
  ledgers(definitions: readonly string[]): readonly Ledger[]
  /** The property that stands for an absent value, where one was needed. */
  readonly marker: string | undefined
}

/** Sets out to lower a schema to a dialect. `tool` is who losses are about where the schema does not say so itself. */
export function startLowering(
  schema: JsonSchema,
  dialect: Dialect,
  tool: string | undefined,
): StartedLowering {
  const { $defs = {}, ...withoutDefinitions } = schema
  const tools = composedTools(schema)
  const origins = new Origins()
  const declared = new Map<string, JsonSchema>()
  const recursion = recursionOf($defs)
  const problems: Problem[] = []
  const done = new Map<string, Lowered | undefined>()
  const underWay = new Set<string>()
  const ofDefinitions = new Map<string, Ledger>()
  const ofRoot = new Ledger()
  let ledger = ofRoot
  let marker: string | undefined
  /** Definitions that the merge under way has followed, and those that stand merged around the present node. */
  let followed = new Set<string>()
  let active: ReadonlySet<string> = new Set()

  const about = (pointer: string): { dialect: Dialect['name']; tool?: string } => {
    const named = pointer.startsWith('/$defs/') ? undefined : (toolAt(pointer, tools) ?? tool)
    return { dialect: dialect.name, ...(named !== undefined && { tool: named }) }
  }

  const lowering: Lowering = {
    dialect,
    origins,
    node: (node, place) => lowerNode(node, place, lowering),
    intersect: (left, right) =>
      intersect(left, right, {
        origins,
        resolve(node) {
          const target = definitionName(node.$ref) ?? ''
          followed.add(target)
          return lowering.definition(target)
        },
        lose: (node, keyword) => lowering.lose(node, keyword, 'dropped'),
      }),
    merging(node, merge, use) {
      const [outerFollowed, outerActive] = [followed, active]
      followed = new Set()
      const merged = merge()
      const here = followed
      followed = outerFollowed
      if (merged === undefined) return undefined
      const isEndless = [...here].some((name) => active.has(name) && recursion.leadsBack(name, name))
      if (isEndless) return jsonText(node, lowering)
      active = new Set([...active, ...here])
      const result = use(merged)
      active = outerActive
      return result
    },
    definition(name) {
      const known = declared.get(name)
      if (known || !Object.hasOwn($defs, name)) return known
      const located = origins.locate($defs[name] as Schema, `/$defs/${pointerToken(name)}`)
      declared.set(name, located)
      return located
    },
    lowered: (name) => done.get(name),
    define(name) {
      if (done.has(name)) return done.get(name) !== undefined
      const definition = lowering.definition(name)
      if (underWay.has(name) || !definition) return true
      // A definition is lowered for all who refer to it, whatever becomes of the one that came first.
      const [outerActive, outerLedger] = [active, ledger]
      underWay.add(name)
      active = new Set([name])
      ledger = new Ledger()
      ofDefinitions.set(name, ledger)
      done.set(name, lowerNode(definition, { definition: name, optional: false }, lowering))
      underWay.delete(name)
      active = outerActive
      ledger = outerLedger
      return done.get(name) !== undefined
    },
    isRecursive: (from, to) => from !== undefined && recursion.leadsBack(from, to),
    lose(node, keyword, action, value = node[keyword]) {
      const enforcedBy = isAssertion(keyword) ? 'validator' : 'none'
      for (const pointer of origins.of(node, keyword)) {
        ledger.lose({ ...about(pointer), pointer, keyword, value, action, enforcedBy })
      }
    },
    standIn(node, kind) {
      const pointer = origins.place(node)
      ledger.standIn({ ...about(pointer), pointer, kind })
    },
    refuse(node, expected, received) {
      const path = origins.place(node)
      const where = path === '' ? 'The root' : path
      problems.push({ path, expected, received, message: `${where}: expected ${expected}, got ${received}` })
      return { schema: { type: 'string' }, value: undefined }
    },
    attempt: (action, isKept) => ledger.attempt(action, isKept),
    marker() {
      marker ??= unusedMarker(schema)
      return marker
    },
    branchTool: (node) => {
      const pointer = origins.place(node)
      return isBranch.test(pointer) ? toolAt(pointer, tools) : undefined
    },
  }

  const { baseless } = recursion
  if (baseless !== undefined) {
    const definition = lowering.definition(baseless) ?? {}
    lowering.refuse(
      definition,
      'a schema that says something besides a reference to itself',
      'a circle of references',
    )
  }
  return {
    lowering,
    root: origins.locate(withoutDefinitions, ''),
    definitions: done,
    problems,
    ledgers: (names) => [ofRoot, ...names.flatMap((name) => ofDefinitions.get(name) ?? [])],
    get marker() {
      return marker
    },
  }
}

const isBranch = /^\/properties\/calls\/items\/anyOf\/\d+$/

/** A property name that the schema itself does not use. */
function unusedMarker(schema: JsonSchema): string {
  const text = JSON.stringify(schema)
  let marker = '_omitted'
  while (text.includes(`"${marker}"`)) marker += '_'
  return marker
}
