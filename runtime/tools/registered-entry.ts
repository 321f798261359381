import { copyJson } from '../json/json-copy.ts'
import { lazily } from '../lazily.ts'
import type { ToolSchema } from '../schema/schema.ts'
import { toolFacts } from '../schema/tool-facts.ts'
import type { Enabled, ToolEntry } from './tool-entry.ts'

/** Generated Tools have compiled checks, so that most processes never interpret one. */
const interpreting = lazily(() => import('./interpreted-checks.ts'))

/** Makes the entry of a schema that was registered at run time: its checks are interpreted, never evaluated. */
export function registeredEntry(name: string, given: ToolSchema, enabled: Enabled | undefined): ToolEntry {
  const schema = copyJson(given, true)
  return {
    facts: toolFacts(name, schema),
    schema,
    enabled: enabled ?? schema.enabled ?? true,
    checks: undefined,
    async loadChecks() {
      this.checks ??= (await interpreting()).interpretedChecks(schema)
      return this.checks
    },
  }
}
