import { shorten } from '../../../../runtime/problems/shorten.ts'
import type { PlannedCallView, PlanView } from '../../wire/runs.ts'
import { EffectsBadge } from '../parts/badge.tsx'
import { href } from '../route.ts'

/** A graph of more Calls than these is a list: nobody could read its lines. */
const mostDrawn = 60
const box = { width: 176, height: 40, across: 44, down: 12 }

/** The Calls of an answer as a graph: their dependencies, effects and results. */
export function PlanGraph({ plan, runId }: { readonly plan: PlanView; readonly runId: string }) {
  const { calls, problem } = plan
  const hasEdges = calls.some(({ waitsFor }) => waitsFor.length > 0)
  return (
    <div class="plan">
      <h3>Plan</h3>
      {problem !== undefined && <p class="failure">{problem}</p>}
      {hasEdges && calls.length <= mostDrawn && <Drawing calls={calls} />}
      <ol class="planned">
        {calls.slice(0, 500).map(({ call, effects, status, step, waitsFor }, place) => (
          <li key={place}>
            <span class={`dot ${status}`} title={status} />
            {step === undefined ? (
              <code>{String(call._tool)}</code>
            ) : (
              <a class="mono" href={href('runs', runId, String(step))}>
                {String(call._tool)}
              </a>
            )}
            <EffectsBadge effects={effects} />
            <span class="hint">
              {status}
              {waitsFor.length > 0 && `, after ${waitsFor.map((each) => each + 1).join(', ')}`}
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}

function Drawing({ calls }: { readonly calls: readonly PlannedCallView[] }) {
  const places = laidOut(calls)
  const columns = Math.max(...places.map(({ column }) => column)) + 1
  const rows = Math.max(...places.map(({ row }) => row)) + 1
  const width = columns * (box.width + box.across) - box.across
  const height = rows * (box.height + box.down) - box.down
  const x = (column: number): number => column * (box.width + box.across)
  const y = (row: number): number => row * (box.height + box.down)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section class="graph" aria-label="Graph of the plan" tabIndex={0}>
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label="The graph of the plan; the list below has the same content"
      >
        {calls.flatMap(({ waitsFor }, to) =>
          waitsFor.map((from) => {
            const [start, end] = [places[from], places[to]]
            if (!start || !end) return null
            const [x1, y1] = [x(start.column) + box.width, y(start.row) + box.height / 2]
            const [x2, y2] = [x(end.column), y(end.row) + box.height / 2]
            const bend = Math.max(20, (x2 - x1) / 2)
            return (
              <path
                key={`${from} ${to}`}
                class="edge"
                d={`M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`}
              />
            )
          }),
        )}
        {calls.map(({ call, effects, status }, place) => {
          const { column, row } = places[place] ?? { column: 0, row: 0 }
          return (
            <g
              key={place}
              class={`node ${status.replace(' ', '-')}`}
              transform={`translate(${x(column)} ${y(row)})`}
            >
              <rect width={box.width} height={box.height} rx="7" />
              <rect
                class={`side ${effects ?? 'undeclared'}`}
                width="4"
                height={box.height - 14}
                x="6"
                y="7"
                rx="2"
              />
              <text x="18" y="17">
                {place + 1} {shorten(String(call._tool), 18)}
              </text>
              <text class="status" x="18" y="32">
                {shorten(typeof call._outputPath === 'string' ? call._outputPath : status, 24)}
              </text>
            </g>
          )
        })}
      </svg>
    </section>
  )
}

/** Places a Call to the right of all that it waits for. */
function laidOut(calls: readonly PlannedCallView[]): { readonly column: number; readonly row: number }[] {
  const columns = calls.map(() => 0)
  // As often as there are Calls is enough for a graph without circles, and an end for one with.
  for (let round = 0; round < calls.length; round++) {
    let hasMoved = false
    for (const [place, { waitsFor }] of calls.entries()) {
      const column = Math.max(0, ...waitsFor.map((each) => (columns[each] ?? 0) + 1))
      if (column !== columns[place] && column < calls.length) {
        columns[place] = column
        hasMoved = true
      }
    }
    if (!hasMoved) break
  }
  const taken = new Map<number, number>()
  return columns.map((column) => {
    const row = taken.get(column) ?? 0
    taken.set(column, row + 1)
    return { column, row }
  })
}
