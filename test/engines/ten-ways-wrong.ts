import { isJsonObject, type JsonObject } from '../../runtime/json/json.ts'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'

/** A solution, its only Call's branch, and a branch of another Tool. */
export interface Solution {
  readonly call: JsonObject
  readonly branch: JsonSchema
  readonly otherTool: string
}

/** Makes a text of a valid one-Call solution that no engine may let through; undefined where the Tool has no place for it. */
export type WayWrong = (solution: Solution) => string | undefined

/** Ten kinds of wrong answers. */
export const tenWaysWrong: Readonly<Record<string, WayWrong>> = {
  'a Tool that is not there': ({ call }) => text({ ...call, _tool: `${call._tool}x` }),
  'the name of another Tool': ({ call, otherTool }) => text({ ...call, _tool: otherTool }),
  'an extra property': ({ call }) => text({ ...call, surplus: 1 }),
  'a missing property': ({ call, branch }) => {
    const { [branch.required?.at(-1) ?? '_tool']: left, ...rest } = call
    return text(rest)
  },
  'a value of another type': ({ call, branch }) =>
    change(call, branch, (schema) => schema.type === 'boolean', 'yes'),
  'a number out of its range': ({ call, branch }) =>
    change(
      call,
      branch,
      (schema) => schema.type === 'integer' && typeof schema.maximum === 'number',
      (schema) => Number(schema.maximum) + 1,
    ),
  'a value that an enum does not list': ({ call, branch }) =>
    change(call, branch, (schema) => schema.enum !== undefined, 'not listed'),
  'a null': ({ call, branch }) =>
    change(call, branch, (schema) => typeof schema.type === 'string' && schema.type !== 'null', null),
  'properties in another order': ({ call }) => text(Object.fromEntries(Object.entries(call).reverse())),
  'an answer that was cut short': ({ call }) => text(call).slice(0, -2),
}

/** The solution of one Call as a model writes it. */
export function text(call: JsonObject): string {
  return JSON.stringify({ calls: [call] })
}

/** Puts a value in the place of the first parameter of a kind that the Call has, however deep. */
function change(
  call: JsonObject,
  schema: JsonSchema,
  isPlace: (schema: JsonSchema) => boolean,
  value: string | null | ((schema: JsonSchema) => unknown),
): string | undefined {
  const changed = structuredClone(call)
  return replace(changed, schema) ? text(changed) : undefined

  function replace(within: JsonObject, { properties = {} }: JsonSchema): boolean {
    return Object.entries(properties).some(([name, member]) => {
      if (name.startsWith('_') || !Object.hasOwn(within, name) || !isJsonObject(member)) return false
      const found = within[name]
      if (isPlace(member as JsonSchema)) {
        within[name] = typeof value === 'function' ? value(member as JsonSchema) : value
        return true
      }
      if (Array.isArray(found))
        return found.some((item) => isJsonObject(item) && replace(item, itemsOf(member)))
      return isJsonObject(found) && replace(found, member as JsonSchema)
    })
  }
}

function itemsOf(schema: Schema): JsonSchema {
  const items = isJsonObject(schema) ? schema.items : undefined
  return isJsonObject(items) ? (items as JsonSchema) : {}
}
