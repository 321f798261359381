import type { Call, Message } from '../context/message.ts'
import { formatPath } from '../context/reference.ts'
import { planGraph } from './plan-graph.ts'
import { PlanWriters } from './plan-writers.ts'
import { type IsParameter, readsOf, withoutUnderscore } from './reads.ts'

/** Characters that could end a label early or start other syntax. */
const unsafe = /["#<>`\\\n\r]/g

/**
 * Draws the graph of Calls as a Mermaid flowchart: a box for each Call with what it writes, an arrow from a writer to
 * each reader. A dotted arrow is a Reference with alternatives, of which one is enough; a box with round ends is a
 * value in the context.
 *
 * @throws CallError `plan_cycle`.
 */
export function planMermaid(
  calls: readonly Call[],
  context: readonly Message[] = [],
  isParameter: IsParameter = withoutUnderscore,
): string {
  const { waitsFor } = planGraph(calls, context, isParameter)
  const writers = new PlanWriters(calls)
  const boxes = calls.map((call, index) => `  call${index}["${label(call)}"]`)
  const arrows: string[] = []
  const sources = new Map<string, string>()
  for (const [reader, call] of calls.entries()) {
    const drawn = new Set<string>()
    const awaited = new Set(waitsFor[reader])
    for (const { expression } of readsOf(call, isParameter)) {
      const arrow = expression.alternatives.length > 1 ? '-.->' : '-->'
      for (const path of expression.alternatives.flat()) {
        const text = escapeLabel(formatPath(path))
        const places = writers.of(path, call).flatMap((list) => list.filter((place) => awaited.has(place)))
        const from = places.sort((left, right) => left - right).map((place) => `call${place}`)
        if (from.length === 0) {
          const source = sources.get(text) ?? `given${sources.size}`
          sources.set(text, source)
          from.push(source)
        }
        for (const source of from) drawn.add(`  ${source} ${arrow}|"${text}"| call${reader}`)
      }
    }
    arrows.push(...drawn)
  }
  const given = [...sources].map(([text, name]) => `  ${name}(["${text}"])`)
  return `${['flowchart TD', ...given, ...boxes, ...arrows].join('\n')}\n`
}

function label(call: Call): string {
  const { _outputPath } = call
  const writes = typeof _outputPath === 'string' ? `<br/>writes ${escapeLabel(_outputPath)}` : ''
  return escapeLabel(call._tool) + writes
}

/** Escapes a label: Mermaid reads numeric entities inside quotes. */
function escapeLabel(text: string): string {
  return text.replace(unsafe, (sign) => `#${sign.charCodeAt(0)};`)
}
