import type { RunEvent } from '../../runtime/agent/loop/run-event.ts'
import { outcomeJson } from '../../runtime/server/outcome-json.ts'
import type { ServableTool } from '../../runtime/server/served-tools.ts'

/**
 * Emits an event for every Call of a registry in the format of recorded runs, so that `callsheet studio --runs` can show the
 * Calls of a server.
 *
 * @returns A function that stops it.
 */
export function logCalls(Tool: ServableTool, tell: (event: RunEvent) => void): () => void {
  const at = Date.now()
  tell({ event: 'start', version: 1, runId: `served-${at}`, at })
  const stops = [
    Tool.on('call:start', ({ id, call }) => {
      const effects = Tool.get(call._tool)?.effects
      tell({ event: 'dispatch', key: id, kind: 'call', at: Date.now(), call, ...(effects && { effects }) })
    }),
    Tool.on('call:end', (outcome) => {
      tell({ event: 'settle', key: outcome.id, at: outcome.endedAt, outcome: outcomeJson(outcome) })
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
