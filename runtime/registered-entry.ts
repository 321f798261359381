import { callSchema } from './call-schema.ts'
import { copyJson } from './json-copy.ts'
import { outputSchema } from './output-schema.ts'
import type { ToolSchema } from './schema.ts'
import { type Enabled, type ToolEntry, withoutFreeFields } from './tool-entry.ts'
import { toolFacts } from './tool-facts.ts'
import type { Checks } from './validator.ts'

/** Makes the entry of a schema that was registered at run time: its checks are interpreted, never evaluated. */
export function entryOf(name: string, given: ToolSchema, enabled: Enabled | undefined): ToolEntry {
  const schema = copyJson(given, true)
  return {
    facts: toolFacts(name, schema),
    schema,
    enabled: enabled ?? schema.enabled ?? true,
    checks: undefined,
    async loadChecks() {
      this.checks ??= await interpretedChecks(schema)
      return this.checks
    },
  }
}

async function interpretedChecks(tool: ToolSchema): Promise<Checks> {
  const { interpretCheck } = await import('./interpret.ts')
  const { schema, strip } = callSchema(tool)
  const call = interpretCheck(schema)
  const output = outputSchema(tool)
  return {
    call: strip ? withoutFreeFields(call) : call,
    ...(output !== undefined && { output: interpretCheck(output) }),
  }
}
