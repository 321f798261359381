import { useSignal } from '@preact/signals'
import type { ComparedCall, RunComparison } from '../../wire/runs.ts'
import { get } from '../ask.ts'
import { JsonTree } from '../parts/json-tree.tsx'
import { useResource } from '../parts/resource.ts'
import { runs } from './runs-state.ts'

/** Two runs side by side, Call by Call. */
export function CompareView({ id }: { readonly id: string }) {
  const other = useSignal('')
  const others = (runs.value ?? []).filter((run) => run.id !== id && run.status !== 'unreadable')
  return (
    <div class="compare">
      <label class="pick-run">
        Compare with
        <select
          value={other.value}
          onChange={(event) => {
            other.value = event.currentTarget.value
          }}
        >
          <option value="">choose a run</option>
          {others.map((run) => (
            <option key={run.id} value={run.id}>
              {run.id}
            </option>
          ))}
        </select>
      </label>
      {other.value !== '' && <Compared id={id} other={other.value} />}
    </div>
  )
}

function Compared({ id, other }: { readonly id: string; readonly other: string }) {
  const path = `runs/${encodeURIComponent(id)}/diff/${encodeURIComponent(other)}`
  const comparison = useResource<RunComparison>(path, () => get(path)).value
  const shown = useSignal(200)
  if (comparison.state === 'waiting') return <p class="note">Loading…</p>
  if (comparison.state === 'failed') return <p class="problem">{comparison.message}</p>
  const { rows } = comparison.value
  const same = rows.filter(({ isSame }) => isSame).length
  return (
    <>
      <p class="note" role="status">
        {same} of {rows.length} the same.
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">{id}</th>
            <th scope="col">{other}</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shown.value).map((row, index) => (
            <tr key={index} class={row.isSame ? 'same' : ''}>
              <Side side={row.left} isSame={row.isSame} />
              <Side side={row.right} isSame={row.isSame} />
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown.value && (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            shown.value += 500
          }}
        >
          {rows.length - shown.value} more
        </button>
      )}
    </>
  )
}

function Side({ side, isSame }: { readonly side: ComparedCall['left']; readonly isSame: boolean }) {
  if (!side) return <td class="absent">–</td>
  return (
    <td>
      <p>
        <span class="mono">{String(side.call._tool)}</span>{' '}
        <span class={`badge ${side.status}`}>{side.status}</span>
      </p>
      <JsonTree value={{ call: side.call, output: side.output ?? null }} open={isSame ? 0 : 2} />
    </td>
  )
}
