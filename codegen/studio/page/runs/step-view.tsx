import { useSignal } from '@preact/signals'
import type { ContextView, StepLine, StepView } from '../../wire/runs.ts'
import { get } from '../ask.ts'
import { duration } from '../parts/duration.ts'
import { JsonTree } from '../parts/json-tree.tsx'
import { useResource } from '../parts/resource.ts'
import { Tabs } from '../parts/tabs.tsx'
import { PlanGraph } from './plan-graph.tsx'

/** One step: the request, its result, what was sent to the model, and its context. */
export function StepPane({ runId, line }: { readonly runId: string; readonly line: StepLine }) {
  const tab = useSignal('step')
  const base = `runs/${encodeURIComponent(runId)}`
  // A step that has ended since is another one.
  const step = useResource<StepView>(`${base} ${line.index} ${line.status}`, () =>
    get(`${base}/steps/${line.index}`),
  )
  const tabs = [
    { name: 'step', label: line.kind === 'request' ? 'Answer' : 'Outcome' },
    { name: 'sent', label: 'As sent' },
    { name: 'context', label: 'Context' },
  ]
  return (
    <section class="card step-pane" aria-label={`Step ${line.name}`}>
      <h2>
        <span class="mono">{line.name}</span>
        <span class={`badge ${line.status}`}>{line.status}</span>
        {line.took !== undefined && <span class="time">{duration(line.took)}</span>}
        <span class="time mono">{line.key}</span>
      </h2>
      <Tabs label={`Views of the step ${line.name}`} tabs={tabs} chosen={tab}>
        {step.value.state === 'waiting' && <p class="note">Loading…</p>}
        {step.value.state === 'failed' && <p class="problem">{step.value.message}</p>}
        {step.value.state === 'there' && tab.value === 'step' && (
          <Came step={step.value.value} runId={runId} />
        )}
        {step.value.state === 'there' && tab.value === 'sent' && <Sent step={step.value.value} />}
        {tab.value === 'context' && <Context path={`${base}/context/${line.index}`} />}
      </Tabs>
    </section>
  )
}

function Came({ step, runId }: { readonly step: StepView; readonly runId: string }) {
  const { kind, call, outcome, plan } = step
  return (
    <>
      {plan && <PlanGraph plan={plan} runId={runId} />}
      {kind !== 'request' && (
        <>
          <h3>Call</h3>
          <JsonTree value={call} open={4} />
        </>
      )}
      <h3>{kind === 'request' ? 'Answer of the model' : 'Result'}</h3>
      {outcome === undefined ? <p class="note">Nothing yet.</p> : <JsonTree value={outcome} open={3} />}
    </>
  )
}

function Sent({ step }: { readonly step: StepView }) {
  if (step.sent.length === 0) {
    return (
      <p class="note">
        What was sent is recorded by <code>Agent({'{ log }'})</code> alone, for Requests and for Calls that a
        model answers.
      </p>
    )
  }
  return (
    <>
      {step.sent.map(({ attempt, api, took, body, answer, error }, index) => (
        <div key={index}>
          <h3>
            Attempt {attempt}, {api}, {duration(took)}
          </h3>
          {error && (
            <p class="failure">
              <code>{error.code}</code> {error.message}
            </p>
          )}
          <h3>Sent</h3>
          <JsonTree value={body} open={3} />
          <h3>Answered</h3>
          {answer === undefined ? <p class="note">Nothing.</p> : <JsonTree value={answer} open={4} />}
        </div>
      ))}
    </>
  )
}

function Context({ path }: { readonly path: string }) {
  const context = useResource<ContextView>(path, () => get(path)).value
  if (context.state === 'waiting') return <p class="note">Loading…</p>
  if (context.state === 'failed') return <p class="problem">{context.message}</p>
  const { messages, kinds } = context.value
  return (
    <>
      {Object.entries(kinds).map(([kind, value]) => (
        <div key={kind}>
          <h3>
            <code>†{kind}</code>
          </h3>
          <JsonTree value={value} open={2} />
        </div>
      ))}
      <h3>
        {messages.length} {messages.length === 1 ? 'Message' : 'Messages'}
      </h3>
      <JsonTree value={messages} open={2} />
    </>
  )
}
