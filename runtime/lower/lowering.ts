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

/** A node in the dialect's form, and the codec for its values. */
export interface Lowered {
  readonly schema: JsonSchema
  readonly value: Codec | undefined
}

/** The position of a node, as far as its lowering depends on it. */
export interface Place {
  /** The definition that contains it. */
  readonly definition: string | undefined
  /** True below an optional property of that definition. */
  readonly optional: boolean
}

/** Functions that {@link Lowering} calls. Injected, since each of them uses a `Lowering` itself. */
export interface LoweringSteps {
  /** Lowers any node. Undefined if no value is possible there. */
  readonly node: (node: JsonSchema, place: Place, lowering: Lowering) => Lowered | undefined
  /** Sends a node as JSON text. */
  readonly text: (node: JsonSchema, lowering: Lowering) => Lowered
}

/** The state while a part of the schema is lowered. */
interface Scope {
  /** Records losses and stand-ins. */
  readonly ledger: Ledger
  /** Definitions that were merged into the nodes around the current one. */
  readonly merged: ReadonlySet<string>
  /** Collects the definitions that the current merge resolves. */
  readonly followed: Set<string>
  /** Number of references that the current merges may still resolve; undefined outside of merges. */
  readonly budget: { left: number } | undefined
}

/**
 * Most references that merges resolve. Two recursive definitions merge without end, and a few that reference each other twice merge
 * into thousands. Schemas written by people are far below.
 */
const mostFollowed = 200

/**
 * Lowers one schema to one dialect. The functions that lower one kind of node receive this object and pass their child nodes back
 * to it, so that they do not depend on each other. Undefined as a result means that no value is possible.
 */
export class Lowering {
  readonly dialect: Dialect
  readonly origins: Origins = new Origins()
  readonly problems: Problem[] = []
  /** The definitions lowered so far; undefined for those that no value satisfies. */
  readonly definitions: Map<string, Lowered | undefined> = new Map()
  /** The schema without its definitions; the origin of each node is known. */
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

  /** @param tool The Tool for losses, unless the schema names it. */
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

  /** Runs a function in another scope, then restores the current one. */
  #within<Result>(scope: Partial<Scope>, work: () => Result): Result {
    const outer = this.#scope
    this.#scope = { ...outer, ...scope }
    try {
      return work()
    } finally {
      this.#scope = outer
    }
  }

  /** Runs a function without recording its losses: the caller records them under another name. */
  withoutLosses<Result>(work: () => Result): Result {
    return this.#within({ ledger: new Ledger() }, work)
  }

  /** Runs a function, and drops its losses if `isKept` rejects its result. */
  attempt<Result>(work: () => Result, isKept: (result: Result) => boolean): Result {
    return this.#scope.ledger.attempt(work, isKept)
  }

  /** Merges two schemas; undefined if no value satisfies both. Only inside {@link merging}. */
  intersect(left: JsonSchema, right: JsonSchema): JsonSchema | undefined {
    return intersect(left, right, this.#intersection)
  }

  /** Merges a schema and its `allOf`; undefined if no value satisfies all. Only inside {@link merging}. */
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
   * Merges schemas and lowers the result. If that would never end, or produce far too much, `node` is sent as JSON text
   * instead.
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

  /** Returns the declared schema of a definition, with known origins. */
  definition(name: string): JsonSchema | undefined {
    const { $defs = {} } = this.#schema
    const known = this.#located.get(name)
    if (known || !Object.hasOwn($defs, name)) return known
    const located = this.origins.locate($defs[name] as Schema, `/$defs/${pointerSegment(name)}`)
    this.#located.set(name, located)
    return located
  }

  /** Returns a lowered definition; undefined while it is being lowered. */
  lowered(name: string): Lowered | undefined {
    return this.definitions.get(name)
  }

  /** Lowers a definition, once. Returns false if no value is possible. */
  define(name: string): boolean {
    if (this.definitions.has(name)) return this.lowered(name) !== undefined
    const definition = this.definition(name)
    if (this.#underWay.has(name) || !definition) return true
    const ledger = new Ledger()
    this.#ledgers.set(name, ledger)
    this.#underWay.add(name)
    // A definition is lowered for all references, so its losses are kept even if the first reference to it is dropped.
    const lowered = this.#within({ ledger, merged: new Set([name]), budget: undefined }, () =>
      this.node(definition, { definition: name, optional: false }),
    )
    this.definitions.set(name, lowered)
    this.#underWay.delete(name)
    return lowered !== undefined
  }

  /**
   * Returns the shared definition of a Reference, if the schema may have one: its own or, in a composed schema, where many
   * parameters share it, an added one.
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
   * True if References are sent as plain strings: the dialect does not support patterns, and the prompt of a composed schema
   * explains References. Explaining them at each parameter would add a third to their cost.
   */
  get sendsReferencesAsText(): boolean {
    return this.#tools.length > 0 && this.dialect.keywords.pattern === 'describe'
  }

  #addReference(): string {
    const name = referenceName(Object.keys(this.#schema.$defs ?? {}))
    const added = this.origins.locate(referenceSchema, `/$defs/${name}`)
    this.#located.set(name, added)
    // The loss is recorded for the place that declares the pattern, which is each of the parameters.
    const lowered = this.withoutLosses(() => this.node(added, { definition: name, optional: false }))
    this.definitions.set(name, lowered)
    return name
  }

  /** True if a reference from within `from` to `to` leads back to `from`. */
  isRecursive(from: string | undefined, to: string): boolean {
    return from !== undefined && this.#recursion.leadsBack(from, to)
  }

  /** Records the loss of a keyword. */
  lose(node: JsonSchema, keyword: string, action: Action, value: unknown = node[keyword]): void {
    const enforcedBy = isAssertion(keyword) ? 'validator' : 'none'
    for (const { pointer, keyword: declared } of this.origins.of(node, keyword)) {
      const about = this.#about(pointer)
      this.#scope.ledger.lose({ ...about, pointer, keyword: declared, value, action, enforcedBy })
    }
  }

  /** Records that a node is sent in a substitute form, without loss. */
  standIn(node: JsonSchema, kind: StandInKind): void {
    const pointer = this.origins.place(node)
    this.#scope.ledger.standIn({ ...this.#about(pointer), pointer, kind })
  }

  /** Records that the dialect cannot express a node. The result only serves to continue, so that all problems are found. */
  refuse(node: JsonSchema, expected: string, received: string): Lowered {
    const path = this.origins.place(node)
    const where = path === '' ? 'The root' : path
    const message = `${where}: expected ${expected}, got ${received}`
    this.problems.push({ path, expected, received, message })
    return { schema: { type: 'string' }, value: undefined }
  }

  /** Records that a reference does not resolve. */
  refuseReference(node: JsonSchema): Lowered {
    const expected = 'a reference of the form #/$defs/Name to a definition of this schema'
    return this.refuse(node, expected, String(node.$ref))
  }

  /** The name of the marker property for absent values. Reading it marks it as used. */
  marker(): string {
    this.#marker ??= unusedMarker(this.#schema)
    return this.#marker
  }

  /** The marker, if it is used. */
  get usedMarker(): string | undefined {
    return this.#marker
  }

  /** Returns the Tool whose branch of the composed schema contains a node. */
  branchTool(node: JsonSchema): string | undefined {
    const pointer = this.origins.place(node)
    return isBranch.test(pointer) ? toolAt(pointer, this.#tools) : undefined
  }

  /** Returns the losses of the root, and of the definitions that are part of the result. */
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

/** Returns a property name that the schema does not use. */
function unusedMarker(schema: JsonSchema): string {
  const text = JSON.stringify(schema)
  let marker = '_omitted'
  while (text.includes(`"${marker}"`)) marker += '_'
  return marker
}
