import { CallsheetError } from '../errors.ts'
import { briefly } from '../problems/problem.ts'
import type { Schema } from '../schema/schema.ts'
import type { References } from './references.ts'
import { subschemas } from './subschemas.ts'

/**
 * Resolves references within one schema that the generator has not normalised: JSON pointers (`#`, `#/$defs/Name`) and the `$id` of
 * a nested schema (`Node`), which TypeBox uses for recursion. The reference itself serves as the definition's name.
 */
export function localReferences(root: Schema): References {
  const { byPointer, byId } = collect(root)
  const schemaOf = (reference: string) => {
    const pointer = reference.startsWith('#') ? decoded(reference.slice(1)) : undefined
    return pointer === undefined ? byId.get(reference) : byPointer.get(pointer)
  }
  return {
    schemaOf: (name) => {
      const found = schemaOf(name)
      return found === ambiguous ? undefined : found
    },
    nameOf(reference) {
      const found = schemaOf(reference)
      if (found === undefined || found === ambiguous) throw noTarget(reference, found === ambiguous)
      return reference
    },
  }
}

const ambiguous = Symbol('ambiguous')

interface Targets {
  readonly byPointer: ReadonlyMap<string, Schema>
  readonly byId: ReadonlyMap<string, Schema | typeof ambiguous>
}

function collect(root: Schema): Targets {
  const byPointer = new Map<string, Schema>()
  const byId = new Map<string, Schema | typeof ambiguous>()
  const pending = [{ pointer: '', schema: root }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { pointer, schema } = next
    byPointer.set(pointer, schema)
    if (typeof schema === 'boolean') continue
    if (typeof schema.$id === 'string' && !isRelativePath(schema.$id)) {
      const other = byId.get(schema.$id)
      byId.set(schema.$id, other === undefined || isSame(other, schema) ? schema : ambiguous)
    }
    for (const inner of subschemas(schema)) {
      pending.push({ pointer: pointer + inner.pointer, schema: inner.schema })
    }
  }
  return { byPointer, byId }
}

/** A relative `$id` depends on the base URI, so it is not compared literally. */
function isRelativePath(id: string): boolean {
  return id.includes('/') && !/^[a-z][a-z0-9+.-]*:/i.test(id)
}

function isSame(left: Schema | typeof ambiguous, right: Schema): boolean {
  return left !== ambiguous && JSON.stringify(left) === JSON.stringify(right)
}

/** Decodes a reference, which is part of a URI: `%25` is a percent sign. */
function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return undefined
  }
}

function noTarget(reference: string, isAmbiguous: boolean): CallsheetError {
  const why = isAmbiguous ? 'is the $id of several different schemas' : 'leads to no schema within this one'
  return new CallsheetError('unsupported_schema', `$ref ${briefly(reference)} ${why}`)
}
