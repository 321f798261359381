import { definitionName, definitionRef } from '../json/definition-reference.ts'
import { byCodeUnit, isJsonObject } from '../json/json.ts'
import { resolveReference, type SharedTargets } from './resolve-reference.ts'
import type { JsonSchema, Schema } from './schema.ts'
import { mapChildSchemas } from './schema-children.ts'
import { readDocument, type SchemaDocument, type Target } from './schema-document.ts'
import type { ReportProblem } from './schema-problem.ts'
import type { TargetOf } from './target-of.ts'
import { unresolvedReference } from './unresolved-reference.ts'

/** Keywords that have no use once references are rewritten. */
const resolved: readonly string[] = ['$id', '$anchor', '$dynamicAnchor', '$schema', '$defs']

const nothingShared: SharedTargets = { ids: new Map(), exports: new Map() }

/**
 * Rewrites the references of one schema as `#/$defs/Name`, whatever form they have: a `$id`, an anchor, any
 * pointer, the root. Their targets become definitions of the root, so that parts of it can be used in other schemas. The
 * generator does the same for all Tools together.
 */
export class ReferenceRewriter {
  readonly #root: JsonSchema
  readonly #targets: ReadonlyMap<JsonSchema, Target>
  /** The definition names of targets. */
  readonly #names = new Map<JsonSchema, string>()
  readonly #taken: Set<string>
  readonly #isShared: (name: string) => boolean

  /**
   * Reports references without a target.
   *
   * @param isShared Returns true for a definition that the schema may refer to without having it.
   */
  constructor(root: JsonSchema, report: ReportProblem, isShared: (name: string) => boolean = () => false) {
    this.#root = root
    this.#isShared = isShared
    const document = readDocument(root, (node) => typeof node.$schema === 'string')
    this.#targets = targetsIn(document, report, isShared)
    const keys = new Map(document.places.map(({ node, key }) => [node, key]))
    const own = Object.entries(root.$defs ?? {})
    this.#taken = new Set(own.map(([name]) => name))
    for (const [name, definition] of own) {
      if (isJsonObject(definition) && !this.#names.has(definition)) this.#names.set(definition, name)
    }
    for (const { node, key = keys.get(node) } of this.#targets.values()) this.#give(node, key)
  }

  /** The schema that a schema's `$ref` leads to. */
  readonly targetOf: TargetOf = (schema) => this.#targets.get(schema)?.node

  /** Rewrites a schema inside another: as a reference if it is a target. */
  inside(schema: Schema): Schema {
    if (typeof schema === 'boolean') return schema
    const name = this.#names.get(schema)
    return name === undefined ? this.whole(schema) : { $ref: definitionRef(name) }
  }

  /** Rewrites a schema itself, and its parts by {@link inside}. */
  whole(schema: JsonSchema): JsonSchema {
    const kept = Object.entries(schema).filter(([keyword]) => !resolved.includes(keyword))
    const written = mapChildSchemas(Object.fromEntries(kept), (child) => this.inside(child))
    const target = this.targetOf(schema)
    const name = target && this.#names.get(target)
    return name === undefined ? written : { ...written, $ref: definitionRef(name) }
  }

  /**
   * Returns the definitions of the root.
   *
   * @param root The target of references to the root.
   */
  definitions(root: JsonSchema): Record<string, Schema> {
    const definitions = new Map(Object.entries(this.#root.$defs ?? {}))
    for (const [node, name] of this.#names) {
      definitions.set(name, node === this.#root ? root : this.whole(node))
    }
    return Object.fromEntries(definitions)
  }

  #give(node: JsonSchema, key: string | undefined): void {
    if (this.#names.has(node)) return
    const wanted = (key ?? 'Whole').replace(/\W+/g, '_')
    let name = wanted
    for (let count = 2; this.#taken.has(name) || this.#isShared(name); count++) name = `${wanted}${count}`
    this.#taken.add(name)
    this.#names.set(node, name)
  }
}

/** Rewrites the references of a schema that is no Tool's as `#/$defs/Name`. Reports references without a target. */
export function rewriteReferences(schema: JsonSchema, report: ReportProblem): JsonSchema {
  const rewriter = new ReferenceRewriter(schema, report)
  const written = rewriter.whole(schema)
  return { ...written, $defs: rewriter.definitions(written) }
}

function targetsIn(
  document: SchemaDocument,
  report: ReportProblem,
  isShared: (name: string) => boolean,
): Map<JsonSchema, Target> {
  const targets = new Map<JsonSchema, Target>()
  for (const place of document.places) {
    const { $ref } = place.node
    if (typeof $ref !== 'string') continue
    const target = resolveReference($ref, place, document, nothingShared)
    if (typeof target !== 'string') targets.set(place.node, target)
    else if (!isShared(definitionName($ref) ?? '')) {
      report(unresolvedReference(target, $ref, place, () => namesIn(document)))
    }
  }
  return targets
}

function namesIn({ ids, defs }: SchemaDocument): string[] {
  return [...new Set([...ids.keys(), ...defs.keys()])].sort(byCodeUnit)
}
