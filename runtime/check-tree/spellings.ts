import type { JsonSchema, Schema } from '../schema/schema.ts'

/** A tuple in either spelling: `prefixItems` with `items`, or draft-07's list of `items` with `additionalItems`. */
export function tupleOf(schema: JsonSchema): { prefix: readonly Schema[]; rest: Schema | undefined } {
  const { items, prefixItems = [], additionalItems } = schema
  return Array.isArray(items)
    ? { prefix: items, rest: additionalItems }
    : { prefix: prefixItems, rest: items }
}

/** What `minLength`, `minItems` or `minProperties` asks; undefined for 0, which asks nothing and would print as no code. */
export function boundOf(least: unknown): number | undefined {
  return typeof least === 'number' && least > 0 ? least : undefined
}

/** What must hold when a property is there, as schemas: both 2020-12 keywords and draft-07's `dependencies`. */
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
