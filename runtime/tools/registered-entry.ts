import { copyJson } from '../json/json-copy.ts'
import { lazily } from '../lazily.ts'
import type { ToolSchema } from '../schema/schema.ts'
import { toolFacts } from '../schema/tool-facts.ts'
import type { Enabled, ToolEntry } from './tool-entry.ts'

/** Loaded lazily: generated Tools have compiled checks, so most processes never interpret a schema. */
const interpreting = lazily(() => import('./interpreted-checks.ts'))

/** Creates the entry of a Tool registered at run time. Its checks interpret the schema and never evaluate code. */
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
