import { byCodeUnit, isJsonObject, own } from '../../runtime/json/json.ts'
import { isAssertion } from '../../runtime/keywords/keywords.ts'
import { Meanings } from '../../runtime/schema/meanings.ts'
import { isMetaField } from '../../runtime/schema/meta-fields.ts'
import { resolveReference, type SharedTargets } from '../../runtime/schema/resolve-reference.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import { forEachChildSchema } from '../../runtime/schema/schema-children.ts'
import {
  type Place,
  pointerTo,
  readDocument,
  type SchemaDocument,
  type Target,
} from '../../runtime/schema/schema-document.ts'
import { unresolvedReference } from '../../runtime/schema/unresolved-reference.ts'
import type { LoadedDefinition } from '../model.ts'
import type { BuildProblem, ReportProblem } from './report-problem.ts'
import { SameSchema } from './same-schema.ts'

/** One definition as plain JSON Schema. */
export interface PlainDefinition {
  readonly definition: LoadedDefinition
  readonly root: JsonSchema
  readonly report: ReportProblem
}

/** The facts about one schema, collected over all its occurrences. */
export interface Entry {
  readonly node: JsonSchema
  /** Names of the Tools that contain it. */
  readonly tools: Set<string>
  /** Number of its occurrences. */
  uses: number
  /** Whether a `$ref` points to it. */
  referred: boolean
  /** Names that its author gave it: by `$id`, and by an export. */
  id?: string
  exported?: string
  /** Its key in `$defs`, or the last segment of the pointer that references use. */
  key?: string
  /** The exported schema whose `$defs` contain it. */
  owner?: string
  /** The Tool whose root it is. */
  tool?: string
  /** The first property, in code unit order, that has it as its value. */
  property?: string
  /** Its occurrences with different annotations, in order of discovery. */
  readonly forms: JsonSchema[]
}

/** Every schema of all definitions, by identity, and the target of each reference. */
export interface Survey {
  readonly same: SameSchema
  readonly entries: ReadonlyMap<JsonSchema, Entry>
  /** The target of each schema with a `$ref`. Unresolved references have no entry. */
  readonly targets: ReadonlyMap<JsonSchema, JsonSchema>
  readonly meanings: Meanings
}

/**
 * Surveys all definitions: which schemas are shared, their possible names, and the targets of references. Reports
 * unresolved references, and `$id`s that two different schemas claim.
 *
 * @param embedded Schemas that are separate documents, wherever they occur.
 */
export function survey(
  tools: readonly PlainDefinition[],
  shared: readonly PlainDefinition[],
  kinds: readonly PlainDefinition[],
  embedded: WeakSet<JsonSchema>,
): Survey {
  const work = new SurveyWork([...tools, ...kinds], shared, embedded)
  for (const plain of shared) work.readShared(plain)
  for (const plain of tools) work.readTool(plain)
  for (const plain of kinds) work.readKind(plain)
  work.reportConflicts()
  return work
}

/** Two schemas under one name. Whether they mean the same is known once every reference has been read. */
interface Conflict {
  readonly first: JsonSchema
  readonly other: JsonSchema
  report(): void
}

class SurveyWork implements Survey {
  readonly same = new SameSchema()
  readonly entries = new Map<JsonSchema, Entry>()
  readonly targets = new Map<JsonSchema, JsonSchema>()
  readonly meanings = new Meanings((schema) => this.targets.get(schema))
  readonly #conflicts: Conflict[] = []
  /** The schemas of each `$id`, of the documents that were searched for it. */
  readonly #byId = new Map<SchemaDocument, Map<string, readonly JsonSchema[]>>()
  readonly #documents = new Map<JsonSchema, SchemaDocument>()
  readonly #plain: readonly PlainDefinition[]
  readonly #shared: SharedTargets
  readonly #seenPlaces = new Set<JsonSchema>()
  readonly #beginsDocument: (node: JsonSchema) => boolean

  constructor(
    users: readonly PlainDefinition[],
    shared: readonly PlainDefinition[],
    embedded: WeakSet<JsonSchema>,
  ) {
    this.#beginsDocument = (node) => embedded.has(node)
    const ids = new Map<string, Target>()
    // Shared schemas first: if a Tool repeats an `$id`, it is most likely that of a shared schema.
    this.#plain = [...shared, ...users]
    for (const { root } of this.#plain) {
      const document = readDocument(root, this.#beginsDocument)
      this.#documents.set(root, document)
      for (const [id, target] of document.ids)
        if (!isLocalId(id, document) && !ids.has(id)) ids.set(id, target)
    }
    this.#shared = { ids, exports: new Map(shared.map(({ definition, root }) => [definition.name, root])) }
  }

  readShared(plain: PlainDefinition): void {
    const { root, definition } = plain
    const entry = this.#entry(root)
    entry.exported ??= definition.name
    // `export const Tree = Type.Cyclic({ Node: … }, 'Node')`: the export names the schema that it refers to.
    const main = this.#followTo(root, plain)
    if (main) this.#entry(main).exported ??= definition.name
    this.#read(plain, (found) => {
      found.owner ??= definition.name
    })
  }

  readTool(plain: PlainDefinition): void {
    const { root, definition } = plain
    this.#entry(root).tool ??= definition.name
    const main = this.#followTo(root, plain)
    if (main && isWholeTool(root, main)) this.#entry(main).tool ??= definition.name
    this.#read(plain, (found) => found.tools.add(definition.name), true)
  }

  /** Reads the schema of a context kind. It uses shared schemas but never makes a schema shared, so a Tool's names stay. */
  readKind(plain: PlainDefinition): void {
    this.#read(plain, (found) => {
      found.owner ??= plain.definition.name
    })
  }

  /** Follows a root that is itself a reference. */
  #followTo(root: JsonSchema, plain: PlainDefinition): JsonSchema | undefined {
    if (typeof root.$ref !== 'string') return undefined
    const place: Place = { node: root, keyword: '', key: undefined, resource: root }
    const target = resolveReference(root.$ref, place, this.#document(plain), this.#shared)
    return typeof target === 'string' ? undefined : target.node
  }

  #document({ root }: PlainDefinition): SchemaDocument {
    const document = this.#documents.get(root) ?? readDocument(root, this.#beginsDocument)
    this.#documents.set(root, document)
    return document
  }

  #read(plain: PlainDefinition, claim: (entry: Entry) => unknown, isTool = false): void {
    const document = this.#document(plain)
    for (const place of document.places) {
      const entry = this.#entry(place.node)
      if (place.within) claim(entry)
      this.#readId(place, document, entry, plain)
      if (place.keyword === '$defs' && place.key !== undefined) entry.key ??= place.key
      if (isTool) this.#countUses(entry)
      if (typeof place.node.$ref === 'string') this.#readReference(place, document, plain)
    }
  }

  /** Counts a schema's direct children. The children of a schema that two Tools share are counted once. */
  #countUses({ node }: Entry): void {
    if (this.#seenPlaces.has(node)) return
    this.#seenPlaces.add(node)
    forEachChildSchema(node, (child, keyword, key) => {
      if (!isJsonObject(child) || keyword === '$defs') return
      const entry = this.#entry(child)
      entry.uses++
      if (keyword !== 'properties' || key === undefined) return
      if (entry.property === undefined || byCodeUnit(key, entry.property) < 0) entry.property = key
      // Meta-fields are never shared: the runtime reads their schemas in place, by name.
      if (isMetaField(key) && key !== '_output') entry.uses = Number.NEGATIVE_INFINITY
    })
  }

  #entry(schema: JsonSchema): Entry {
    const node = this.same.of(schema)
    const known = this.entries.get(node)
    if (known) {
      if (!known.forms.includes(schema)) known.forms.push(schema)
      return known
    }
    const entry: Entry = { node, tools: new Set(), uses: 0, referred: false, forms: [schema] }
    this.entries.set(node, entry)
    return entry
  }

  #readId(place: Place, document: SchemaDocument, entry: Entry, { report }: PlainDefinition): void {
    const { node } = place
    const id = node.$id
    if (id === undefined || isLocalId(id, document)) return
    entry.id = id
    const first = this.#shared.ids.get(id)?.node
    if (!first || this.same.of(first) === entry.node) return
    this.#conflicts.push({
      first,
      other: node,
      report: () =>
        report({
          rule: 'duplicate-id',
          pointer: pointerTo(place),
          message: `another schema has the $id "${id}" as well, and says something else${this.#whereIs(first)}.`,
          fix: 'Give one of them another $id, or use the same schema in both places.',
        }),
    })
  }

  reportConflicts(): void {
    for (const { first, other, report } of this.#conflicts) if (!this.meanings.areSame(first, other)) report()
  }

  #whereIs(node: JsonSchema): string {
    for (const { root, definition } of this.#plain) {
      if (![...(this.#documents.get(root)?.ids.values() ?? [])].some((target) => target.node === node))
        continue
      const { file, line, column } = definition.at
      return `, in "${definition.name}" at ${file}:${line}:${column}`
    }
    return ''
  }

  #readReference(place: Place, document: SchemaDocument, plain: PlainDefinition): void {
    const { report } = plain
    const reference = place.node.$ref ?? ''
    const target = resolveReference(reference, place, document, this.#shared)
    if (typeof target === 'string') {
      report(unresolvedReference(target, reference, place, () => this.#known(document)))
      return
    }
    if (reference === '#' && plain.definition.kind === 'tool' && target.node === plain.root)
      report(wholeTool(place))
    const entry = this.#entry(target.node)
    entry.referred = true
    if (target.key !== undefined) entry.key ??= target.key
    for (const other of this.#namesakes(target.node, place, document)) {
      this.#conflicts.push({
        first: target.node,
        other,
        report: () => report(unresolvedReference('ambiguous', reference, place, () => [])),
      })
    }
    const before = this.targets.get(place.node)
    if (before === undefined) this.targets.set(place.node, entry.node)
    else if (before !== entry.node) {
      this.#conflicts.push({
        first: before,
        other: entry.node,
        report: () =>
          report({
            rule: 'ambiguous-reference',
            pointer: pointerTo(place),
            message: `"$ref": "${reference}" stands in a shared schema and means something else where another Tool, or another part of this one, uses it.`,
            fix: 'Give the schemas that are meant different names, or declare the shared schema in each place.',
          }),
      })
    }
  }

  /** Returns the other schemas that a reference by `$id` could mean; none if its target is around it. */
  #namesakes(target: JsonSchema, place: Place, document: SchemaDocument): readonly JsonSchema[] {
    const id = target.$id
    if (id === undefined || place.node.$ref !== id) return []
    for (let at: Place | undefined = place; at; at = at.within) {
      if (at.node === target || own(at.node.$defs ?? {}, id) === target) return []
    }
    let byId = this.#byId.get(document)
    if (!byId) {
      byId = new Map()
      for (const { node } of document.places) {
        if (node.$id !== undefined) byId.set(node.$id, [...(byId.get(node.$id) ?? []), node])
      }
      this.#byId.set(document, byId)
    }
    return byId.get(id)?.filter((each) => each !== target) ?? []
  }

  #known({ ids, defs }: SchemaDocument): string[] {
    const names = [...ids.keys(), ...defs.keys(), ...this.#shared.ids.keys(), ...this.#shared.exports.keys()]
    return [...new Set(names)].sort(byCodeUnit)
  }
}

/** Says what `#` means, which many write for the part around it: libraries do, and `$schema` shows it unless it is taken off. */
function wholeTool(place: Place): BuildProblem {
  return {
    rule: 'whole-tool',
    severity: 'warning',
    pointer: pointerTo(place),
    message: '"$ref": "#" means the whole Tool, so its values are Calls.',
    fix: 'For the schema around it, keep the "$schema" of that. For the Tool, give it an $id and refer to that.',
  }
}

/**
 * Whether a root says nothing beside its reference, and its target requires the `_tool` that every Tool gets: then the target is
 * the Tool itself. Otherwise the Tool says more than its target, and what refers to that means it without what the root adds.
 */
function isWholeTool(root: JsonSchema, target: JsonSchema): boolean {
  const adds = Object.keys(root).some((keyword) => keyword !== '$ref' && isAssertion(keyword))
  return !adds && (target.required ?? []).includes('_tool')
}

/**
 * Whether an `$id` is meaningful only in its own document. TypeBox gives each member of a `Type.Cyclic` its key as `$id`,
 * and 0.34 numbers recursive types `T0`, `T1`, ….
 */
function isLocalId(id: string, { ids, defs }: SchemaDocument): boolean {
  return /^T\d+$/.test(id) || (defs.has(id) && defs.get(id)?.node === ids.get(id)?.node)
}
