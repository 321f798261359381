import type { Signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { RunLine } from '../../wire/runs.ts'
import { VirtualList } from '../parts/virtual-list.tsx'
import { go } from '../route.ts'
import { runs, watchFailure } from './runs-state.ts'

/** The recorded runs, the newest first. */
export function RunList({
  chosen,
  search,
}: {
  readonly chosen: string | undefined
  readonly search: Signal<string>
}) {
  const all = runs.value ?? []
  const words = search.value.toLowerCase()
  const found = useMemo(
    () =>
      all.filter(({ id, model = '', status }) => `${id} ${model} ${status}`.toLowerCase().includes(words)),
    [all, words],
  )
  return (
    <>
      <div class="search">
        <input
          type="search"
          placeholder="Search runs"
          aria-label="Search runs"
          value={search.value}
          onInput={(event) => {
            search.value = event.currentTarget.value
          }}
        />
        <span class="count" role="status">
          {found.length === all.length ? all.length : `${found.length} of ${all.length}`}
        </span>
      </div>
      {watchFailure.value !== undefined && <p class="note problem">{watchFailure.value}</p>}
      <VirtualList
        label="Runs"
        items={found}
        keyOf={(run) => run.id}
        chosen={chosen}
        onChoose={(run) => go('runs', run.id)}
        rowHeight={52}
        row={(run) => (
          <>
            <span class={`dot ${run.status}`} title={run.status} />
            <span class="name">{run.id}</span>
            <span class="about">
              {run.status} · {counted(run)}
            </span>
          </>
        )}
      />
    </>
  )
}

export function counted({ requests, calls, tokens, problem }: RunLine): string {
  if (problem !== undefined) return problem
  const parts = [
    `${requests} ${requests === 1 ? 'Request' : 'Requests'}`,
    `${calls} ${calls === 1 ? 'Call' : 'Calls'}`,
    ...(tokens > 0 ? [`${tokens.toLocaleString('en')} tokens`] : []),
  ]
  return parts.join(' · ')
}
