import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ReplayedCall } from '../../wire/runs.ts'
import { follow } from '../ask.ts'
import { Fold } from '../parts/fold.tsx'
import { JsonTree } from '../parts/json-tree.tsx'

/** Runs the reading Calls of a run again, and shows the results that differ. */
export function ReplayView({ id }: { readonly id: string }) {
  const replayed = useSignal<readonly ReplayedCall[]>([])
  const state = useSignal<'idle' | 'running' | 'over'>('idle')
  const failure = useSignal<string | undefined>(undefined)
  const stop = useSignal<AbortController | undefined>(undefined)
  useEffect(() => () => stop.value?.abort(), [])

  const start = async (): Promise<void> => {
    const control = new AbortController()
    stop.value = control
    replayed.value = []
    failure.value = undefined
    state.value = 'running'
    try {
      const path = `runs/${encodeURIComponent(id)}/replay`
      await follow(
        path,
        {},
        (_, data) => {
          replayed.value = [...replayed.value, data as ReplayedCall]
        },
        control.signal,
      )
    } catch (error) {
      if (!control.signal.aborted) failure.value = (error as Error).message
    }
    state.value = 'over'
  }

  const others = replayed.value.filter(({ result }) => result === 'other').length
  return (
    <div>
      <div class="run-bar">
        <button
          type="button"
          class="primary"
          onClick={() => (state.value === 'running' ? stop.value?.abort() : void start())}
        >
          {state.value === 'running' ? 'Stop' : 'Replay'}
        </button>
        <div role="status">
          {state.value === 'idle' && (
            <span class="note">
              Runs the Calls that only read again, each in the context that it had. No model is asked.
            </span>
          )}
          {state.value === 'over' && failure.value === undefined && (
            <span class={others === 0 ? 'fine' : 'problem'}>
              {others === 0 ? 'All results are the same.' : `${others} with another result.`}
            </span>
          )}
          {failure.value !== undefined && <span class="problem">{failure.value}</span>}
        </div>
      </div>
      <ol class="replayed">
        {replayed.value.slice(0, 1_000).map(({ key, call, result, was, is, reason }) => (
          <li key={key} class="card">
            <h2>
              <span class="mono">{String(call._tool)}</span>
              <span class={`badge ${result === 'same' ? 'succeeded' : result === 'other' ? 'failed' : ''}`}>
                {result}
              </span>
              {reason !== undefined && <span class="time">{reason}</span>}
            </h2>
            {result === 'other' && (
              <div class="columns">
                <div>
                  <h3>It was</h3>
                  <JsonTree value={was ?? null} />
                </div>
                <div>
                  <h3>It is</h3>
                  <JsonTree value={is ?? null} />
                </div>
              </div>
            )}
            <Fold summary="Call">{() => <JsonTree value={call} />}</Fold>
          </li>
        ))}
      </ol>
    </div>
  )
}
