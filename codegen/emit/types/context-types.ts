import { parseScopes } from '../../../runtime/context/scope-list.ts'
import type { Schema } from '../../../runtime/schema/schema.ts'
import type { Model } from '../../model.ts'
import { uniqueIdentifiers } from '../../names/names.ts'
import { schemaDoc } from '../../print/doc-comment.ts'
import { propertyName, stringLiteral } from '../../print/literal.ts'
import type { TypePrinter } from '../../print/type-printer.ts'

/** The types of a project's context: the type name of each kind, and the declarations. */
export interface ContextTypes {
  readonly names: ReadonlyMap<string, string>
  declarations(printer: TypePrinter): string[]
}

/**
 * Names the types of the declared kinds: `State`, `Input`. A kind that is only a shared schema uses that schema's name; one
 * whose name is taken gets a hash.
 *
 * @param taken Other names that the file declares.
 */
export function contextTypes({ context = {} }: Model, taken: Iterable<string>): ContextTypes {
  const kinds = Object.entries(context)
  const isTaken = new Set(taken)
  const own = kinds.filter(([, schema]) => sharedName(schema) === undefined).map(([kind]) => kind)
  const identifiers = uniqueIdentifiers(own, (name) => isTaken.has(name))
  const names = new Map(
    kinds.map(([kind, schema]) => [kind, sharedName(schema) ?? identifiers.get(kind) ?? kind]),
  )
  return {
    names,
    declarations: (printer) => [
      ...own.map((kind) => {
        const schema = context[kind] ?? true
        return schemaDoc(schema) + printer.declaration(names.get(kind) ?? kind, printer.read(schema))
      }),
      kindMap(names),
    ],
  }
}

/** Returns the name of the shared schema if a kind is only a reference to it. */
function sharedName(schema: Schema): string | undefined {
  if (typeof schema === 'boolean' || Object.keys(schema).length !== 1) return undefined
  return /^#\/\$defs\/([^/]+)$/.exec(schema.$ref ?? '')?.[1]
}

function kindMap(names: ReadonlyMap<string, string>): string {
  const members = [...names].map(([kind, name]) => `  ${propertyName(kind)}: ${name}\n`)
  return `/** What contexts hold, by kind of data. */\nexport interface ContextTypes {\n${members.join('')}}\n`
}

/** Kinds of Messages without data, which are read as Messages. */
const withoutData: ReadonlySet<string> = new Set(['text', 'tool', 'plan', 'error'])

/**
 * Prints the members, besides its Messages, of the context that fixed scopes allow (TYPE-4).
 *
 * @param part Returns the local name of `ScopedPart`.
 */
export function scopedMembers(
  scopes: readonly string[],
  names: ReadonlyMap<string, string>,
  part: () => string,
): string {
  const members: string[] = []
  for (const [kind, ways] of parseScopes(scopes)) {
    if (withoutData.has(kind)) continue
    const whole = names.get(kind) ?? 'unknown'
    const parts = ways.map((way) =>
      way.length === 0 ? whole : `${part()}<${whole}, [${way.map(stringLiteral).join(', ')}]>`,
    )
    const type = parts.includes(whole) ? whole : [...new Set(parts)].join(' & ')
    members.push(`${propertyName(kind)}: ${type}`)
  }
  return `{ ${members.join('; ')} }`
}
