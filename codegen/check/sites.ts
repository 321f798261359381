import { isJsonObject } from '../../runtime/json/json.ts'
import { pointerSegment } from '../../runtime/json/json-pointer.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import {
  childPointer,
  forEachChildSchema,
  referredDefinitions,
} from '../../runtime/schema/schema-children.ts'
import type { LoadedDefinition, Model } from '../model.ts'
import { toIdentifier } from '../names/names.ts'

/** One schema of the model. */
export interface Site {
  readonly definition: LoadedDefinition
  readonly schema: JsonSchema
  /** The site around it, and the position in that; absent for a root. */
  readonly within?: { readonly site: Site; readonly keyword: string; readonly key: string | undefined }
  /** JSON pointer into the definition's schema. Computed on demand, since few sites are ever reported. */
  readonly pointer: string
}

/** The definition that a shared schema is reported with. */
export interface Owner {
  readonly definition: LoadedDefinition
  readonly pointer: string
}

/** Lists every schema of the model. Shared schemas are listed once, as a part of the definition that they came from. */
export function sitesOf(
  model: Model,
  tools: ReadonlyMap<string, LoadedDefinition>,
  definitions: readonly LoadedDefinition[],
): Site[] {
  const sites: Site[] = []
  for (const { name, schema } of model.tools) {
    const definition = tools.get(name)
    if (definition) sites.push({ definition, schema, pointer: '' })
  }
  const owners = ownersOf(model, tools, definitions)
  for (const [name, schema] of Object.entries(model.definitions)) {
    const owner = owners.get(name)
    if (owner) sites.push({ ...owner, schema })
  }
  return withParts(sites)
}

/** Lists the schemas of a declared context, which only the rules for keywords look at. */
export function contextSitesOf({ context = {} }: Model, definitions: readonly LoadedDefinition[]): Site[] {
  const definition = definitions.find(({ kind }) => kind === 'state')
  if (!definition) return []
  const roots = Object.entries(context).map(([kind, schema]) => ({
    definition,
    schema: isJsonObject(schema) ? schema : {},
    pointer: `/${pointerSegment(kind)}`,
  }))
  return withParts(roots)
}

function withParts(sites: Site[]): Site[] {
  // The list grows during the loop: each site adds its direct children.
  for (const site of sites) {
    forEachChildSchema(site.schema, (schema, keyword, key) => {
      if (isJsonObject(schema)) sites.push(inside(site, schema, keyword, key))
    })
  }
  return sites
}

function inside(site: Site, schema: JsonSchema, keyword: string, key: string | undefined): Site {
  return {
    definition: site.definition,
    schema,
    within: { site, keyword, key },
    get pointer() {
      return site.pointer + childPointer(keyword, key)
    },
  }
}

/** Finds the owner of each shared schema: the export of that name, else the first Tool that uses it. */
export function ownersOf(
  model: Model,
  tools: ReadonlyMap<string, LoadedDefinition>,
  definitions: readonly LoadedDefinition[],
): Map<string, Owner> {
  const owners = new Map<string, Owner>()
  for (const definition of definitions) {
    const name = toIdentifier(definition.name)
    if (definition.kind === 'shared' && !owners.has(name)) owners.set(name, { definition, pointer: '' })
  }
  for (const { name, schema } of model.tools) {
    const definition = tools.get(name)
    const reached = referredDefinitions(schema)
    // The set grows during the loop: a shared schema can refer to further ones.
    for (const shared of reached) {
      if (definition && !owners.has(shared)) owners.set(shared, { definition, pointer: `/$defs/${shared}` })
      const next = model.definitions[shared]
      if (next) referredDefinitions(next, reached)
    }
  }
  return owners
}
