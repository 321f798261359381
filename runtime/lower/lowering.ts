import { referenceName, referenceSchema } from '../compose/admit-references.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Problem } from '../errors.ts'
import { definitionName } from '../json/definition-reference.ts'
import { pointerSegment } from '../json/json-pointer.ts'
import { isAssertion } from '../keywords/keywords.ts'
import { referencePattern } from '../schema/reference-pattern.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import type { Codec } from './codec/codec.ts'
import { composedTools, toolAt } from './composed-tools.ts'
import { type Intersection, intersect, mergeAllOf } from './intersect.ts'
import { Ledger } from './ledger.ts'
import type { Action, StandInKind } from './losses.ts'
import { Origins } from './origins.ts'
import { type Recursion, recursionOf } from './recursion.ts'

/** A node in the dialect's form, and what values must do to follow. */
export interface Lowered {
  readonly schema: JsonSchema
  readonly value: Codec | undefined
}

/** Where a node stands, as far as its lowering depends on it. */
export interface Place {
  /** The definition that it is part of. */
  readonly definition: string | undefined
  /** True below an optional property of that definition. */
  readonly optional: boolean
}

/** What the parts of a lowering do, given from outside, since each of them uses the lowering itself. */
export interface LoweringSteps {
  /** Lowers any node. Undefined when no value is possible there. */
  readonly node: (node: JsonSchema, place: Place, lowering: Lowering) => Lowered | undefined
  /** Sends a node as JSON text. */
  readonly text: (node: JsonSchema, lowering: Lowering) => Lowered
}

/** What holds while a part of the schema is lowered, and ends with it. */
interface Scope {
  /** Takes down losses and stand-ins. */
  readonly ledger: Ledger
  /** Definitions that stand merged around the present node. */
  readonly merged: ReadonlySet<string>
  /** Collects the definitions that the merge under way follows. */
  readonly followed: Set<string>
  /** How many more references may be followed by the merges under way; undefined outside them. */
  readonly budget: { left: number } | undefined
}

/**
 * Two definitions that lead back to themselves merge without end, and a few that refer to each other twice merge into
 * thousands. No schema written by hand comes near.
 */
const mostFollowed = 200

/**
 * Lowers one schema to one dialect. The functions that lower one kind of node each get this and give nodes back to it,
 * so that none of them knows the others. Undefined as a result means that no value is possible there.
 */
export class Lowering {
  readonly dialect: Dialect
  readonly origins: Origins = new Origins()
  readonly problems: Problem[] = []
  /** Definitions as lowered so far; undefined for those that no value satisfies. */
  readonly definitions: Map<string, Lowered | undefined> = new Map()
  /** The schema without its definitions, each node with a known place. */
  readonly root: JsonSchema
  readonly #schema: JsonSchema
  readonly #steps: LoweringSteps
  readonly #tool: string | undefined
  readonly #tools: readonly (string | undefined)[]
  readonly #recursion: Recursion
  readonly #located = new Map<string, JsonSchema>()
  readonly #underWay = new Set<string>()
  readonly #ledgers = new Map<string, Ledger>()
  readonly #rootLedger = new Ledger()
  readonly #intersection: Intersection
  #scope: Scope = { ledger: this.#rootLedger, merged: new Set(), followed: new Set(), budget: undefined }
  #marker: string | undefined
  #reference: { readonly name: string | undefined } | undefined

  /** @param tool Who losses are about where the schema does not say so itself. */
  constructor(schema: JsonSchema, dialect: Dialect, steps: LoweringSteps, tool: string | undefined) {
    const { $defs = {}, ...withoutDefinitions } = schema
    this.#schema = schema
    this.dialect = dialect
    this.#steps = steps
    this.#tool = tool
    this.#tools = composedTools(schema)
    this.#recursion = recursionOf($defs)
    this.root = this.origins.locate(withoutDefinitions, '')
    this.#intersection = {
      origins: this.origins,
      resolve: (node) => this.#resolve(node),
      lose: (node, keyword) => this.lose(node, keyword, 'dropped'),
    }
    this.#refuseBaseless()
  }

  node(node: JsonSchema, place: Place): Lowered | undefined {
    return this.#steps.node(node, place, this)
  }

  /** Does some work under another scope and returns to the present one. */
  #within<Result>(scope: Partial<Scope>, work: () => Result): Result {
    const outer = this.#scope
    this.#scope = { ...outer, ...scope }
    try {
      return work()
    } finally {
      this.#scope = outer
    }
  }

  /** Does some work without taking down what it loses: the caller records that under another name. */
  withoutLosses<Result>(work: () => Result): Result {
    return this.#within({ ledger: new Ledger() }, work)
  }

  /** Does some work and forgets what it lost, if `isKept` says no to its result. */
  attempt<Result>(work: () => Result, isKept: (result: Result) => boolean): Result {
    return this.#scope.ledger.attempt(work, isKept)
  }

  /** Puts both schemas into one; undefined when no value satisfies both. Only inside {@link merging}. */
  intersect(left: JsonSchema, right: JsonSchema): JsonSchema | undefined {
    return intersect(left, right, this.#intersection)
  }

  /** Puts a schema and what its `allOf` lists into one; undefined when no value satisfies all. Only inside {@link merging}. */
  mergeAllOf(node: JsonSchema): JsonSchema | undefined {
    return mergeAllOf(node, this.#intersection)
  }

  #resolve(node: JsonSchema): JsonSchema | undefined {
    const { budget } = this.#scope
    if (budget && --budget.left < 0) return undefined
    const name = definitionName(node.$ref) ?? ''
    this.#scope.followed.add(name)
    const target = this.definition(name)
    if (!target) this.refuseReference(node)
    return target
  }

  /**
   * Merges schemas and lowers the result. Where that would never end, or make far more of the schemas than they say, `node`
   * goes as JSON text.
   */
  merging<Merged>(
    node: JsonSchema,
    merge: () => Merged | undefined,
    use: (merged: Merged) => Lowered | undefined,
  ): Lowered | undefined {
    const followed = new Set<string>()
    const { merged: around, budget = { left: mostFollowed } } = this.#scope
    const isEndless = (): boolean =>
      budget.left < 0 ||
      [...followed].some((name) => around.has(name) && this.#recursion.leadsBack(name, name))
    const merged = this.attempt(
      () => this.#within({ followed, budget }, merge),
      () => !isEndless(),
    )
    if (isEndless()) return this.#steps.text(node, this)
    if (merged === undefined) return undefined
    return this.#within({ merged: new Set([...around, ...followed]), budget }, () => use(merged))
  }

  /** The located schema of a definition. */
  definition(name: string): JsonSchema | undefined {
    const { $defs = {} } = this.#schema
    const known = this.#located.get(name)
    if (known || !Object.hasOwn($defs, name)) return known
    const located = this.origins.locate($defs[name] as Schema, `/$defs/${pointerSegment(name)}`)
    this.#located.set(name, located)
    return located
  }

  /** The definition as lowered so far; undefined while it is being lowered. */
  lowered(name: string): Lowered | undefined {
    return this.definitions.get(name)
  }

  /** Lowers a definition, once. False when no value is possible. */
  define(name: string): boolean {
    if (this.definitions.has(name)) return this.lowered(name) !== undefined
    const definition = this.definition(name)
    if (this.#underWay.has(name) || !definition) return true
    const ledger = new Ledger()
    this.#ledgers.set(name, ledger)
    this.#underWay.add(name)
    // A definition is lowered for all who refer to it, whatever becomes of the one that came first.
    const lowered = this.#within({ ledger, merged: new Set([name]), budget: undefined }, () =>
      this.node(definition, { definition: name, optional: false }),
    )
    this.definitions.set(name, lowered)
    this.#underWay.delete(name)
    return lowered !== undefined
  }

  /**
   * The definition of References, where a Reference may be said by one: the schema's own, or in a composed schema, where many
   * parameters share it, one that is added.
   */
  get referenceDefinition(): string | undefined {
    if (this.#reference === undefined) {
      const { $defs = {} } = this.#schema
      const own = Object.keys($defs).find((name) => isReference($defs[name]))
      this.#reference = { name: own ?? (this.#tools.length > 0 ? this.#addReference() : undefined) }
    }
    return this.#reference.name
  }

  /**
   * True where a Reference goes as any text: the dialect knows no patterns, and the prompt of a composed schema says what a
   * Reference is, which would cost a third of what References cost if each parameter did.
   */
  get saysReferencesAsText(): boolean {
    return this.#tools.length > 0 && this.dialect.keywords.pattern === 'describe'
  }

  #addReference(): string {
    const name = referenceName(Object.keys(this.#schema.$defs ?? {}))
    const added = this.origins.locate(referenceSchema, `/$defs/${name}`)
    this.#located.set(name, added)
    // What is lost is lost where the schema says it, and that is each of the parameters.
    const lowered = this.withoutLosses(() => this.node(added, { definition: name, optional: false }))
    this.definitions.set(name, lowered)
    return name
  }

  /** True when a reference from inside `from` to `to` leads back to `from`. */
  isRecursive(from: string | undefined, to: string): boolean {
    return from !== undefined && this.#recursion.leadsBack(from, to)
  }

  /** Records what became of a keyword. */
  lose(node: JsonSchema, keyword: string, action: Action, value: unknown = node[keyword]): void {
    const enforcedBy = isAssertion(keyword) ? 'validator' : 'none'
    for (const { pointer, keyword: declared } of this.origins.of(node, keyword)) {
      const about = this.#about(pointer)
      this.#scope.ledger.lose({ ...about, pointer, keyword: declared, value, action, enforcedBy })
    }
  }

  /** Records that a node goes in another form, without any loss. */
  standIn(node: JsonSchema, kind: StandInKind): void {
    const pointer = this.origins.place(node)
    this.#scope.ledger.standIn({ ...this.#about(pointer), pointer, kind })
  }

  /** Records that the dialect has no way to express a node. The result only lets the other problems be found as well. */
  refuse(node: JsonSchema, expected: string, received: string): Lowered {
    const path = this.origins.place(node)
    const where = path === '' ? 'The root' : path
    const message = `${where}: expected ${expected}, got ${received}`
    this.problems.push({ path, expected, received, message })
    return { schema: { type: 'string' }, value: undefined }
  }

  /** Records that a reference leads to no definition of the schema. */
  refuseReference(node: JsonSchema): Lowered {
    const expected = 'a reference of the form #/$defs/Name to a definition of this schema'
    return this.refuse(node, expected, String(node.$ref))
  }

  /** The name of the property that stands for an absent value; asking for it makes it part of the schema. */
  marker(): string {
    this.#marker ??= unusedMarker(this.#schema)
    return this.#marker
  }

  /** The marker, if it was asked for. */
  get usedMarker(): string | undefined {
    return this.#marker
  }

  /** The Tool whose composed branch a node is. */
  branchTool(node: JsonSchema): string | undefined {
    const pointer = this.origins.place(node)
    return isBranch.test(pointer) ? toolAt(pointer, this.#tools) : undefined
  }

  /** What was lost by the root and by the definitions that are part of the result. */
  ledgers(definitions: readonly string[]): readonly Ledger[] {
    return [this.#rootLedger, ...definitions.flatMap((name) => this.#ledgers.get(name) ?? [])]
  }

  #about(pointer: string): { dialect: Dialect['name']; tool?: string } {
    const tool = pointer.startsWith('/$defs/') ? undefined : (toolAt(pointer, this.#tools) ?? this.#tool)
    return { dialect: this.dialect.name, ...(tool !== undefined && { tool }) }
  }

  #refuseBaseless(): void {
    const { baseless } = this.#recursion
    if (baseless === undefined) return
    const expected = 'a schema that says something besides a reference to itself'
    this.refuse(this.definition(baseless) ?? {}, expected, 'a circle of references')
  }
}

function isReference(schema: Schema | undefined): boolean {
  return typeof schema === 'object' && schema.type === 'string' && schema.pattern === referencePattern
}

const isBranch = /^\/properties\/calls\/items\/anyOf\/\d+$/

/** A property name that the schema itself does not use. */
function unusedMarker(schema: JsonSchema): string {
  const text = JSON.stringify(schema)
  let marker = '_omitted'
  while (text.includes(`"${marker}"`)) marker += '_'
  return marker
}
