import { isJsonObject, type JsonObject } from '../../runtime/json/json.ts'

const inSource = 'where the tools are, and import what it gives'

/** Forms of other libraries' schemas after JSON.stringify. They are not JSON Schema, though many contain `"type": "object"`. */
const leftovers: readonly {
  readonly library: string
  readonly fix: string
  is(schema: JsonObject): boolean
}[] = [
  {
    library: 'Zod',
    fix: `Call z.toJSONSchema(schema) with Zod 4 or zodToJsonSchema(schema) with Zod 3 ${inSource}.`,
    is: ({ def, _def }) =>
      (isJsonObject(def) && typeof def.type === 'string') ||
      (isJsonObject(_def) && typeof _def.typeName === 'string'),
  },
  {
    library: 'Valibot',
    fix: `Call toJsonSchema(schema) of @valibot/to-json-schema ${inSource}.`,
    is: ({ kind, async }) => kind === 'schema' && typeof async === 'boolean',
  },
]

/** Returns the library whose schema was serialised; undefined for anything else. */
export function serialisedSchema(
  schema: JsonObject,
): { readonly library: string; readonly fix: string } | undefined {
  return leftovers.find(({ is }) => is(schema))
}
