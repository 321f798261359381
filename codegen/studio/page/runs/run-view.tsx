import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { duration } from '../parts/duration.ts'
import { Tabs } from '../parts/tabs.tsx'
import { go, href } from '../route.ts'
import { ApprovalsView } from './approvals-view.tsx'
import { CompareView } from './compare-view.tsx'
import { ReplayView } from './replay-view.tsx'
import { counted } from './run-list.tsx'
import { changes, readOn, type ShownRun } from './runs-state.ts'
import { StepPane } from './step-view.tsx'
import { TestView } from './test-view.tsx'
import { Timeline } from './timeline.tsx'

export function RunView({ id, step }: { readonly id: string; readonly step: string | undefined }) {
  const shown = useSignal<ShownRun | undefined>(undefined)
  const failure = useSignal<string | undefined>(undefined)
  const change = changes.value
  useEffect(() => {
    let isCurrent = true
    readOn(id, shown.value).then(
      (run) => {
        if (!isCurrent) return
        shown.value = run
        failure.value = undefined
      },
      (error: unknown) => {
        if (isCurrent) failure.value = (error as Error).message
      },
    )
    return () => {
      isCurrent = false
    }
  }, [id, change])
  if (failure.value !== undefined && !shown.value) return <p class="note problem">{failure.value}</p>
  if (!shown.value) return <p class="note">Loading…</p>
  return <Shown run={shown.value} step={step} />
}

function Shown({ run, step }: { readonly run: ShownRun; readonly step: string | undefined }) {
  const { view, steps } = run
  const { id, status, model, startedAt, endedAt, approvals, decided } = view
  const open = approvals.filter((approval) => !decided.includes(approval.id))
  const tab = useSignal(open.length > 0 ? 'approvals' : 'timeline')
  const at = step === undefined ? undefined : steps[Number(step)]
  const tabs = [
    { name: 'timeline', label: 'Timeline' },
    ...(approvals.length > 0 ? [{ name: 'approvals', label: `Approvals (${open.length})` }] : []),
    { name: 'replay', label: 'Replay' },
    { name: 'compare', label: 'Compare' },
    { name: 'test', label: 'Save as test' },
  ]
  return (
    <article class="run">
      <header class="about-tool">
        <a class="back" href={href('runs')}>
          All runs
        </a>
        <h1>{id}</h1>
        <p class="badges">
          <span class={`badge ${status}`}>{status}</span>
          {model !== undefined && <span class="badge">{model}</span>}
          <span class="run-facts">
            {counted(view)}
            {startedAt !== undefined && endedAt !== undefined && ` · ${duration(endedAt - startedAt)}`}
            {startedAt !== undefined && ` · ${new Date(startedAt).toLocaleString()}`}
          </span>
        </p>
        {view.error && status !== 'waiting' && (
          <p class="failure">
            <code>{view.error.code}</code> {view.error.message}
          </p>
        )}
      </header>
      <Tabs label={`Views of ${id}`} tabs={tabs} chosen={tab}>
        {tab.value === 'timeline' && (
          <div class={at ? 'timeline-panes open' : 'timeline-panes'}>
            <Timeline steps={steps} chosen={at?.index} onChoose={(index) => go('runs', id, String(index))} />
            {at ? (
              <StepPane key={at.index} runId={id} line={at} />
            ) : (
              <p class="note choose-step">Choose a step to see its request, its result and its context.</p>
            )}
          </div>
        )}
        {tab.value === 'approvals' && <ApprovalsView view={view} />}
        {tab.value === 'replay' && <ReplayView id={id} />}
        {tab.value === 'compare' && <CompareView id={id} />}
        {tab.value === 'test' && <TestView id={id} />}
      </Tabs>
    </article>
  )
}
