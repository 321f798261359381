import { useMemo } from 'preact/hooks'
import type { StepLine } from '../../wire/runs.ts'
import { duration } from '../parts/duration.ts'
import { VirtualList } from '../parts/virtual-list.tsx'

export interface TimelineProps {
  readonly steps: readonly StepLine[]
  readonly chosen: number | undefined
  readonly onChoose: (index: number) => void
}

const kinds: Readonly<Record<StepLine['kind'], string>> = {
  request: 'Request',
  call: 'Call',
  approval: 'Plan',
}

/** Everything that a run did, in order, each with its part of the time. */
export function Timeline({ steps, chosen, onChoose }: TimelineProps) {
  const { from, whole } = useMemo(() => span(steps), [steps])
  return (
    <div class="timeline">
      <VirtualList
        label="Steps"
        items={steps}
        keyOf={(step) => String(step.index)}
        chosen={chosen === undefined ? undefined : String(chosen)}
        onChoose={(step) => onChoose(step.index)}
        rowHeight={46}
        row={(step) => <Row step={step} from={from} whole={whole} />}
      />
    </div>
  )
}

function Row({
  step,
  from,
  whole,
}: {
  readonly step: StepLine
  readonly from: number
  readonly whole: number
}) {
  const { kind, name, brief, status, took, tokens, effects } = step
  const left = whole === 0 ? 0 : ((step.at - from) / whole) * 100
  const width = whole === 0 ? 100 : ((took ?? 0) / whole) * 100
  return (
    <div class={`step ${kind}`}>
      <span class={`dot ${status}`} title={status} />
      <span class="what">
        <span class="kind">{kinds[kind]}</span>
        <span class="name">{name}</span>
        {effects !== undefined && effects !== 'read' && <span class={`badge ${effects}`}>{effects}</span>}
      </span>
      <span class="brief">{brief}</span>
      <span class="took">
        {tokens !== undefined && tokens > 0 && `${tokens.toLocaleString('en')} tok · `}
        {took === undefined ? status : duration(took)}
      </span>
      <span class="span" aria-hidden="true">
        <span style={{ left: `${Math.min(left, 99)}%`, width: `${Math.max(width, 1)}%` }} />
      </span>
    </div>
  )
}

function span(steps: readonly StepLine[]): { readonly from: number; readonly whole: number } {
  let [from, to] = [Number.POSITIVE_INFINITY, 0]
  for (const { at, took = 0 } of steps) {
    from = Math.min(from, at)
    to = Math.max(to, at + took)
  }
  return steps.length === 0 ? { from: 0, whole: 0 } : { from, whole: Math.max(0, to - from) }
}
