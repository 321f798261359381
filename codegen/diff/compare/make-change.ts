import { createHash } from 'node:crypto'
import { canonicalJson } from '../../../runtime/json/canonical-json.ts'
import { type Change, type ChangeClass, type Example, safeInEveryOrder, type Verdict } from '../change.ts'
import type { ContractTool } from '../contract.ts'

/** What is known of a change before it gets its name and place. */
export interface ChangeParts {
  readonly path: string
  /** Where the definition says it: a JSON pointer into the Tool's schema. */
  readonly pointer: string
  readonly title: string
  readonly meaning: string
  /** The change in full, for its id: words cut what is long. */
  readonly whole?: unknown
  /** With a worker of today and an agent of yesterday, or values that were recorded; wire only. */
  readonly forward?: Verdict
  /** With an agent of today and a worker of yesterday; wire only. */
  readonly backward?: Verdict
  readonly examples?: readonly Example[]
}

/** Gives a change its name, its place in the source and its verdict for each order of deployment (DIFF-3). */
export function makeChange(
  kind: ChangeClass,
  tool: Pick<ContractTool, 'name' | 'locate'> | undefined,
  { path, pointer, title, meaning, whole, forward = 'safe', backward = 'safe', examples = [] }: ChangeParts,
): Change {
  const at = tool?.locate?.(pointer)
  return {
    id: `${kind}:${tool?.name ?? '*'}${path}:${fingerprint(title + meaning + (whole === undefined ? '' : canonicalJson(whole)))}`,
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

/** The worst of several verdicts. */
export function worst(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('breaks')) return 'breaks'
  return verdicts.includes('unknown') ? 'unknown' : 'safe'
}

/** Eight hex digits: they tell apart what happened to one place of one Tool. */
function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
