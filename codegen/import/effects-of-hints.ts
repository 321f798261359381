import { type JsonObject, own } from '../../runtime/json/json.ts'
import type { Effects } from '../../runtime/schema/schema.ts'

/**
 * Reads a tool's effects off MCP's hints, with the defaults of MCP for those that are missing (`readOnlyHint` false,
 * `destructiveHint` true, `idempotentHint` false): a tool without hints is `'write'`, so that no model can imagine that
 * it deleted something. A wrong `'write'` costs a retry, a wrong `'idempotent'` may cost data. The hints are claims of the
 * server and are not verified.
 */
export function effectsOfHints(annotations: JsonObject = {}): Effects {
  const says = (hint: string): unknown => own(annotations, hint)
  if (says('readOnlyHint') === true) return 'read'
  return says('destructiveHint') === false && says('idempotentHint') === true ? 'idempotent' : 'write'
}

/** Whether a server gave any hint about effects. */
export function hasHints(annotations: JsonObject | undefined): boolean {
  return ['readOnlyHint', 'destructiveHint', 'idempotentHint'].some(
    (hint) => annotations !== undefined && typeof own(annotations, hint) === 'boolean',
  )
}
