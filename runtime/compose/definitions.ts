import { definitionName, definitionRef } from '../json/definition-reference.ts'
import { own } from '../json/json.ts'
import type { Schema } from '../schema/schema.ts'
import { mapChildSchemas, referredDefinitions } from '../schema/schema-children.ts'
import type { ComposableTool } from './composable.ts'

/** Returns a Tool's own definitions. */
export function localDefinitions({ schema, definitions }: ComposableTool): Record<string, Schema> {
  return { ...(own(schema, '$defs') as Record<string, Schema> | undefined), ...definitions }
}

/**
 * Returns the definitions a Tool can reference: its own and the shared ones, without copying those for each of a
 * thousand Tools.
 */
export function knownDefinitions(
  tool: ComposableTool,
  shared: Readonly<Record<string, Schema>>,
): Readonly<Record<string, Schema>> {
  const local = localDefinitions(tool)
  return Object.keys(local).length === 0 ? shared : { ...shared, ...local }
}

/** The definitions of a composed schema under construction, by name. */
export interface Definitions {
  get(name: string): Schema | undefined
  has(name: string): boolean
  set(name: string, definition: Schema): unknown
}

/** Definitions that one Tool adds on top of the shared ones, which are not changed. */
export class OwnDefinitions implements Definitions {
  readonly #shared: ReadonlyMap<string, Schema>
  readonly #own = new Map<string, Schema>()

  constructor(shared: ReadonlyMap<string, Schema>) {
    this.#shared = shared
  }

  get(name: string): Schema | undefined {
    return this.#own.get(name) ?? this.#shared.get(name)
  }

  has(name: string): boolean {
    return this.#own.has(name) || this.#shared.has(name)
  }

  set(name: string, definition: Schema): void {
    this.#own.set(name, definition)
  }
}

/**
 * Moves a schema's own definitions into the shared ones and returns the schema. References are renamed if another schema uses the
 * name for a different definition; equal definitions are shared (REQ-4).
 */
export function addDefinitions<Given extends Schema>(
  schema: Given,
  local: Readonly<Record<string, Schema>>,
  definitions: Definitions,
): Given {
  const renamed = new Map<string, string>()
  for (const [name, definition] of Object.entries(local)) {
    if (isTaken(name, definition, definitions)) renamed.set(name, freeName(name, local, definitions))
  }
  // A definition that references a renamed one differs from its namesake, so it is renamed as well.
  for (let size = -1; size !== renamed.size; ) {
    size = renamed.size
    for (const [name, definition] of Object.entries(local)) {
      if (renamed.has(name) || !definitions.has(name) || size === 0) continue
      const refersToRenamed = [...referredDefinitions(definition)].some((other) => renamed.has(other))
      if (refersToRenamed) renamed.set(name, freeName(name, local, definitions))
    }
  }
  for (const [name, definition] of Object.entries(local)) {
    definitions.set(renamed.get(name) ?? name, renameReferences(definition, renamed))
  }
  return renameReferences(schema, renamed)
}

function isTaken(name: string, definition: Schema, definitions: Definitions): boolean {
  const shared = definitions.get(name)
  return (
    shared !== undefined && shared !== definition && JSON.stringify(shared) !== JSON.stringify(definition)
  )
}

function freeName(name: string, local: Readonly<Record<string, Schema>>, definitions: Definitions): string {
  for (let count = 2; ; count++) {
    const candidate = `${name}_${count}`
    if (!definitions.has(candidate) && !Object.hasOwn(local, candidate)) return candidate
  }
}

/** Copies a schema with its references renamed. */
function renameReferences<Given extends Schema>(schema: Given, renamed: ReadonlyMap<string, string>): Given {
  if (renamed.size === 0 || typeof schema === 'boolean') return schema
  const copy = mapChildSchemas(schema, (child) => renameReferences(child, renamed))
  const other = renamed.get(definitionName(copy.$ref) ?? '')
  return (other === undefined ? copy : { ...copy, $ref: definitionRef(other) }) as Given
}
