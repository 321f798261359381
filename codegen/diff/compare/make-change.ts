import { createHash } from 'node:crypto'
import { canonicalJson } from '../../../runtime/json/canonical-json.ts'
import { type Change, type ChangeClass, type Example, safeInEveryOrder, type Verdict } from '../change.ts'
import type { ContractTool } from '../contract.ts'

/** A change without its id, source position and verdicts. */
export interface ChangeParts {
  readonly path: string
  /** JSON pointer to the changed part of the Tool's schema. */
  readonly pointer: string
  readonly title: string
  readonly meaning: string
  /**
   * What sets the change apart from others of its class and place, for its id: the rule, and what was and is there. Never the
   * title or meaning: an exception has to outlive a version of Callsheet that words them anew.
   */
  readonly facts: readonly unknown[]
  /** Verdict for a new worker with an old agent, or with recorded values; wire only. */
  readonly forward?: Verdict
  /** Verdict for a new agent with an old worker; wire only. */
  readonly backward?: Verdict
  readonly examples?: readonly Example[]
}

/** Creates a change with its id, its source position and its verdict for each order of deployment (DIFF-3). */
export function makeChange(
  kind: ChangeClass,
  tool: Pick<ContractTool, 'name' | 'locate'> | undefined,
  { path, pointer, title, meaning, facts, forward = 'safe', backward = 'safe', examples = [] }: ChangeParts,
): Change {
  const at = tool?.locate?.(pointer)
  return {
    id: `${kind}:${tool?.name ?? '*'}${path}:${fingerprint(canonicalJson([pointer, ...facts]))}`,
    class: kind,
    tool: tool?.name,
    path,
    title,
    meaning,
    verdicts:
      kind === 'wire'
        ? { together: forward, 'worker-first': forward, 'agent-first': backward }
        : safeInEveryOrder,
    examples,
    ...(at && { at }),
  }
}

/** Returns the worst of several verdicts. */
export function worst(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('breaks')) return 'breaks'
  return verdicts.includes('unknown') ? 'unknown' : 'safe'
}

/** Hashes to eight hex digits, enough to distinguish the changes of one location of one Tool. */
function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
