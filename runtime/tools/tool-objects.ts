import { asToolObject } from '../schema/standard-schema.ts'
import { type GeneratedTool, generatedEntry } from './tool-entry.ts'

/**
 * The `tools` of generated wiring: each Tool's schema by name, parsed on first access, so that a registry of a thousand
 * Tools starts at once (GEN-11).
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

/** Which generated Tool a schema object is: lets a registry made by hand use its compiled checks. */
const generatedTools: WeakMap<object, GeneratedTool> = new WeakMap()

export function generatedToolOf(schema: object): GeneratedTool | undefined {
  return generatedTools.get(schema)
}
