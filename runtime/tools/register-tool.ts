import { CallsheetError } from '../errors.ts'
import { plainToolSchema } from '../schema/plain-schema.ts'
import type { ToolSchema } from '../schema/schema.ts'
import { isToolName } from '../schema/tool-name.ts'
import { entryOf } from './registered-entry.ts'
import { type Enabled, generatedEntry } from './tool-entry.ts'
import { generatedToolOf } from './tool-objects.ts'
import type { ToolRegistry } from './tool-registry.ts'

/** Options of `Tool.register`. */
export interface RegisterToolOptions {
  /** Overrides the schema's own `enabled`; a function is asked with the context of each Call (TOOL-9). */
  readonly enabled?: Enabled
}

/**
 * Registers a Tool at run time, in place of an earlier one of the name (TOOL-8).
 *
 * @throws CallsheetError `override_mismatch` when the name is generated and the schema another one;
 * `unsupported_schema` when the schema is no Tool's.
 */
export function registerTool(
  tools: ToolRegistry,
  name: string,
  schema: object,
  options: RegisterToolOptions = {},
): void {
  if (!isToolName(name)) {
    throw new CallsheetError(
      'unsupported_schema',
      `"${name}" is not a Tool's name: segments of letters, digits, "_" and "-" with dots between, none starting with a digit or "-".`,
    )
  }
  const own = generatedToolOf(schema)
  const plain = plainToolSchema(name, schema)
  const generated = tools.generated(name)
  if (!generated) {
    tools.set(own ? generatedEntry(own, options.enabled) : entryOf(name, plain, options.enabled))
    return
  }
  if (own !== generated && !sameSchema(plain, JSON.parse(generated.text))) {
    throw new CallsheetError(
      'override_mismatch',
      `Tool "${name}" is generated, and its types would no longer hold for another schema. Register the other schema in a registry of its own: createRegistry({ tools: { … } }).`,
    )
  }
  tools.set(generatedEntry(generated, options.enabled))
}

/** Equal as JSON, whatever the order of keys. */
function sameSchema(left: ToolSchema, right: unknown): boolean {
  return sortedText(left) === sortedText(right)
}

function sortedText(value: unknown): string {
  return JSON.stringify(value, (_key, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : 1)))
      : inner,
  )
}
