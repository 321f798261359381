/** A schema library whose schemas are code instead of JSON Schema, and how to convert one of its schemas. */
export interface ValidationLibrary {
  readonly name: string
  readonly fix: string
}

const declareIt = 'declare it with TypeBox'

const libraries: readonly (ValidationLibrary & { readonly made: (value: object) => boolean })[] = [
  {
    name: 'Zod',
    made: (value) => '_zod' in value || vendorOf(value) === 'zod',
    fix: `Take its JSON Schema, Type.Unsafe(z.toJSONSchema(schema)) with Zod 4 or Type.Unsafe(zodToJsonSchema(schema)) with Zod 3, or ${declareIt}.`,
  },
  {
    name: 'Valibot',
    made: (value) =>
      vendorOf(value) === 'valibot' || ('kind' in value && ('~run' in value || '_run' in value)),
    fix: `Take its JSON Schema, Type.Unsafe(toJsonSchema(schema)) with @valibot/to-json-schema, or ${declareIt}.`,
  },
  {
    name: 'ArkType',
    made: (value) => vendorOf(value) === 'arktype' || ' arkKind' in value || 'arkKind' in value,
    fix: `Take its JSON Schema, Type.Unsafe(schema.toJsonSchema()), or ${declareIt}.`,
  },
]

/** Vendors whose schemas are JSON Schema objects. */
const ownVendors = ['callsheet', 'typebox']

/** Returns the library that created a value; undefined if the value is no schema of such a library (TOOL-10). */
export function validationLibrary(value: unknown): ValidationLibrary | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  if (isJsonSchemaOfZod(value)) return undefined
  const known = libraries.find(({ made }) => made(value))
  if (known) return known
  const vendor = vendorOf(value)
  if (vendor === undefined || ownVendors.includes(vendor)) return undefined
  return { name: vendor, fix: `Take its JSON Schema, if the library exports one, or ${declareIt}.` }
}

/** Whether a value is JSON Schema from Zod 4's `z.toJSONSchema`: plain data with a non-enumerable `~standard`. */
function isJsonSchemaOfZod(value: object): boolean {
  const face = Object.getOwnPropertyDescriptor(value, '~standard')
  if (face === undefined || face.enumerable || Object.getPrototypeOf(value) !== Object.prototype) return false
  return Object.values(value).every((member) => typeof member !== 'function')
}

/** Returns the vendor of a Standard Schema. */
function vendorOf(value: object): string | undefined {
  const standard: unknown = '~standard' in value ? value['~standard'] : undefined
  if (typeof standard !== 'object' || standard === null || !('vendor' in standard)) return undefined
  return typeof standard.vendor === 'string' ? standard.vendor : undefined
}
