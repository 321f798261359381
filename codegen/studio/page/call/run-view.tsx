import { useEffect, useRef } from 'preact/hooks'
import type { ErrorData } from '../../../../runtime/errors.ts'
import { shorten } from '../../../../runtime/problems/shorten.ts'
import type { OutcomeJson } from '../../../../runtime/server/outcome-json.ts'
import type { CallHappening } from '../../wire/tools.ts'
import { Fold } from '../parts/fold.tsx'
import { JsonTree } from '../parts/json-tree.tsx'
import type { CallState } from './call-state.ts'

const names: Readonly<Record<CallHappening['event'], string>> = {
  start: 'started',
  progress: 'progress',
  retry: 'failed, once more',
  missing: 'no such Activity',
  latent: 'answered by a model',
  end: 'ended',
}

/** Characters of a message, and problems, that are shown; the whole Outcome has the rest. */
const longestMessage = 2_000
const mostProblems = 50

/** The result of a Call: its Outcome and events. */
export function RunView({ state }: { readonly state: CallState }) {
  const run = state.run.value
  const box = useRef<HTMLElement>(null)
  const hasEnded = run !== undefined && !run.isRunning
  useEffect(() => {
    if (hasEnded) box.current?.scrollIntoView({ block: 'nearest' })
  }, [hasEnded])
  if (!run) return null
  const { happenings, count, isRunning, failure } = run
  const end = happenings.find(({ event }) => event === 'end')
  const outcome = end?.data as OutcomeJson | undefined
  return (
    <section ref={box} class="card outcome" aria-label="Outcome" aria-live="polite">
      <h2>
        Outcome
        {isRunning && <span class="badge running">running</span>}
        {outcome && <span class={`badge ${outcome.status}`}>{outcome.status}</span>}
        {end && <span class="time">{milliseconds(end.at)}</span>}
        {outcome && outcome.attempts > 1 && <span class="time">{outcome.attempts} attempts</span>}
      </h2>
      {failure !== undefined && <p class="problem">{failure}</p>}
      {outcome?.error && <Failure error={outcome.error} />}
      {outcome && outcome.output !== undefined && <JsonTree value={outcome.output} open={3} />}
      {outcome && outcome.appended.length > 0 && (
        <Fold summary="Adds to the context">{() => <JsonTree value={outcome.appended} open={3} />}</Fold>
      )}
      <Fold summary={`${count} ${count === 1 ? 'event' : 'events'}`}>
        {() => (
          <ol class="happenings">
            {happenings.map(({ event, at, data }, index) => (
              <li key={index}>
                <span class="time">{milliseconds(at)}</span>
                <span class="event">{names[event]}</span>
                {(event === 'progress' || event === 'retry') && <JsonTree value={data} open={1} />}
              </li>
            ))}
          </ol>
        )}
      </Fold>
      {outcome && <Fold summary="The whole Outcome">{() => <JsonTree value={outcome} open={2} />}</Fold>}
    </section>
  )
}

function Failure({ error }: { readonly error: ErrorData }) {
  const { code, message, problems = [], suggestions = [] } = error
  return (
    <div class="failure">
      <p>
        <code>{code}</code> {shorten(message, longestMessage)}
      </p>
      {problems.length > 0 && (
        <ul>
          {problems.slice(0, mostProblems).map((problem, index) => (
            <li key={index}>{shorten(problem.message, longestMessage)}</li>
          ))}
          {problems.length > mostProblems && <li>and {problems.length - mostProblems} more</li>}
        </ul>
      )}
      {suggestions.length > 0 && <p>Did you mean {suggestions.join(', ')}?</p>}
    </div>
  )
}

function milliseconds(time: number): string {
  return time < 1000 ? `${time.toFixed(time < 10 ? 1 : 0)} ms` : `${(time / 1000).toFixed(2)} s`
}
