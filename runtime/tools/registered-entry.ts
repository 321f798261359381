import { copyJson } from '../json/json-copy.ts'
import { lazily } from '../lazily.ts'
import { callSchema } from '../schema/call-schema.ts'
import { outputSchema } from '../schema/output-schema.ts'
import type { ToolSchema } from '../schema/schema.ts'
import { toolFacts } from '../schema/tool-facts.ts'
import type { Checks } from '../schema/validator.ts'
import { type Enabled, type ToolEntry, withoutFreeFields } from './tool-entry.ts'

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

/** Generated Tools have compiled checks, so that most processes never interpret one. */
const interpreter = lazily(() => import('../check-tree/interpret.ts'))

async function interpretedChecks(tool: ToolSchema): Promise<Checks> {
  const { interpretCheck } = await interpreter()
  const { schema, strip } = callSchema(tool)
  const call = interpretCheck(schema)
  const output = outputSchema(tool)
  return {
    call: strip ? withoutFreeFields(call) : call,
    ...(output !== undefined && { output: interpretCheck(output) }),
  }
}
