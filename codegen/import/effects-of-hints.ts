import { type JsonObject, own } from '../../runtime/json/json.ts'
import type { Effects } from '../../runtime/schema/schema.ts'

/**
 * What MCP's hints say about effects, or undefined when they say nothing. Reading wins over the rest, since the others
 * mean nothing beside it; of a tool that changes things, destroying wins over being repeatable, since a wrong `write`
 * costs a retry and a wrong `idempotent` may cost data. The hints are a server's own words: nobody has checked them.
 */
export function effectsOfHints(annotations: JsonObject | undefined): Effects | undefined {
  if (!annotations) return undefined
  const says = (hint: string): unknown => own(annotations, hint)
  if (says('readOnlyHint') === true) return 'read'
  if (says('destructiveHint') === true) return 'write'
  if (says('idempotentHint') === true) return 'idempotent'
  return says('readOnlyHint') === false || says('idempotentHint') === false ? 'write' : undefined
}
