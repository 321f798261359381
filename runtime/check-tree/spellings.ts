import type { JsonSchema, Schema } from '../schema/schema.ts'

/** Reads a tuple in either form: `prefixItems` with `items`, or draft-07's array of `items` with `additionalItems`. */
export function tupleOf(schema: JsonSchema): { prefix: readonly Schema[]; rest: Schema | undefined } {
  const { items, prefixItems = [], additionalItems } = schema
  return Array.isArray(items)
    ? { prefix: items, rest: additionalItems }
    : { prefix: prefixItems, rest: items }
}

/** Returns the value of `minLength`, `minItems` or `minProperties`; undefined for 0, which constrains nothing. */
export function boundOf(least: unknown): number | undefined {
  return typeof least === 'number' && least > 0 ? least : undefined
}

/** Returns the schemas that apply if a property is present: from both 2020-12 keywords and draft-07's `dependencies`. */
export function dependenciesOf(schema: JsonSchema): [name: string, dependency: Schema][] {
  const { dependentRequired, dependentSchemas, dependencies } = schema as Dependencies
  return [dependentRequired, dependentSchemas, dependencies].flatMap((each = {}) =>
    Object.entries(each).map(([name, dependency]): [string, Schema] => [
      name,
      Array.isArray(dependency) ? { required: dependency } : dependency,
    ]),
  )
}

type Dependencies = Partial<
  Record<'dependentRequired' | 'dependentSchemas' | 'dependencies', Record<string, Schema | string[]>>
>
