import { type Signal, useSignal } from '@preact/signals'
import type { Approval, Decision } from '../../../../runtime/agent/approvals/approval.ts'
import type { Call } from '../../../../runtime/context/message.ts'
import { isJsonObject } from '../../../../runtime/json/json.ts'
import type { RunView } from '../../wire/runs.ts'
import { post } from '../ask.ts'
import { EffectsBadge } from '../parts/badge.tsx'
import { Fold } from '../parts/fold.tsx'
import { JsonEditor } from '../parts/json-editor.tsx'
import { JsonTree } from '../parts/json-tree.tsx'

type Decisions = Readonly<Record<string, Decision>>

/** The Calls that wait for approval. The decisions are written next to the run, for the process that continues it. */
export function ApprovalsView({ view }: { readonly view: RunView }) {
  const { id, approvals, decided } = view
  const decisions = useSignal<Decisions>({})
  const written = useSignal<string | undefined>(undefined)
  const failure = useSignal<string | undefined>(undefined)
  const made = Object.values(decisions.value)

  const write = async (): Promise<void> => {
    failure.value = undefined
    try {
      const path = `runs/${encodeURIComponent(id)}/decide`
      written.value = (await post<{ file: string }>(path, { decisions: made })).file
    } catch (error) {
      failure.value = (error as Error).message
    }
  }

  return (
    <div class="approvals">
      {decided.length > 0 && (
        <p class="note">
          {decided.length} of {approvals.length} decided already. A new decision replaces an earlier one.
        </p>
      )}
      {approvals.map((approval) => (
        <ApprovalCard key={approval.id} approval={approval} decisions={decisions} />
      ))}
      <div class="run-bar">
        <button type="button" class="primary" disabled={made.length === 0} onClick={() => void write()}>
          Write {made.length} {made.length === 1 ? 'decision' : 'decisions'}
        </button>
        <div role="status">
          {failure.value !== undefined && <span class="problem">{failure.value}</span>}
          {written.value !== undefined && failure.value === undefined && (
            <span class="fine">
              Written to {written.value}: go on with <code>Agent({'{ …options, resume, decisions }'})</code>.
            </span>
          )}
        </div>
      </div>
    </div>
  )
}

interface ApprovalCardProps {
  readonly approval: Approval
  readonly decisions: Signal<Decisions>
}

function ApprovalCard({ approval, decisions }: ApprovalCardProps) {
  const { id, hash, scope, calls, effects, expiresAt } = approval
  const decision = decisions.value[id]
  const [first] = calls
  const edited = useSignal(JSON.stringify(first ?? {}, null, 2))
  const mistake = editMistake(edited.value)
  const decide = (approve: boolean, more: Partial<Decision> = {}): void => {
    decisions.value = { ...decisions.value, [id]: { approval: id, hash, approve, ...more } }
  }
  return (
    <section class="card" aria-label={`Approval ${id}`}>
      <h2>
        {scope === 'plan' ? `A plan of ${calls.length} Calls` : <span class="mono">{first?._tool}</span>}
        {effects.slice(0, 5).map((each, index) => (
          <EffectsBadge key={index} effects={each} />
        ))}
        {decision && (
          <span class={`badge ${decision.approve ? 'succeeded' : 'failed'}`}>
            {decision.approve ? 'approve' : 'refuse'}
          </span>
        )}
        {expiresAt !== undefined && <span class="time">until {new Date(expiresAt).toLocaleString()}</span>}
      </h2>
      <JsonTree value={scope === 'call' ? first : calls} open={3} />
      <div class="decide">
        <button
          type="button"
          class="add"
          aria-pressed={decision?.approve === true}
          onClick={() => decide(true)}
        >
          Approve
        </button>
        <button
          type="button"
          class="add refuse"
          aria-pressed={decision?.approve === false}
          onClick={() => decide(false)}
        >
          Refuse
        </button>
      </div>
      {decision?.approve === false && (
        <label class="reason">
          Why, for the model to read
          <input
            type="text"
            value={decision.reason ?? ''}
            onInput={(event) => {
              const reason = event.currentTarget.value
              decide(false, reason === '' ? {} : { reason })
            }}
          />
        </label>
      )}
      {scope === 'call' && (
        <Fold summary="Run another Call of the Tool instead">
          {() => (
            <>
              <JsonEditor
                label={`The Call to run instead of ${id}`}
                text={edited.value}
                onText={(text) => {
                  edited.value = text
                }}
              />
              {mistake !== undefined && <p class="problem">{mistake}</p>}
              <button
                type="button"
                class="add"
                disabled={mistake !== undefined}
                onClick={() => decide(true, { call: JSON.parse(edited.value) as Call })}
              >
                Approve this instead
              </button>
            </>
          )}
        </Fold>
      )}
    </section>
  )
}

function editMistake(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) && typeof value._tool === 'string'
      ? undefined
      : 'A Call must be an object with "_tool".'
  } catch {
    return 'This is not JSON.'
  }
}
