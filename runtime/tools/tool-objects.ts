import { asToolObject } from '../schema/standard-schema.ts'
import { type GeneratedTool, generatedEntry } from './tool-entry.ts'

/**
 * Creates the `tools` of generated wiring: each Tool's schema by name, parsed on first access, so that a registry of a
 * thousand Tools starts at once (GEN-11).
 */
export function toolObjects(generated: readonly GeneratedTool[]): Record<string, unknown> {
  const objects: Record<string, unknown> = Object.create(null)
  for (const tool of generated) {
    let object: object | undefined
    Object.defineProperty(objects, tool.facts.name, {
      enumerable: true,
      get() {
        if (!object) {
          const entry = generatedEntry(tool)
          object = asToolObject(entry.schema, () => entry.loadChecks())
          generatedTools.set(object, tool)
        }
        return object
      },
    })
  }
  return objects
}

/** The generated Tool of each schema object in `tools`. */
const generatedTools: WeakMap<object, GeneratedTool> = new WeakMap()

/** Returns the generated Tool of a schema object from `tools`, so that `createRegistry` can use its compiled checks. */
export function generatedToolOf(schema: object): GeneratedTool | undefined {
  return generatedTools.get(schema)
}
