import type { Call, Message } from '../../../runtime/context/message.ts'
import type { Told, Workbench } from '../bench/workbench.ts'
import type { CallHappening } from '../wire/tools.ts'
import { eventResponse } from './event-response.ts'

/** Runs a Call and streams its events: `happening` until the last one, whose data is the Outcome. */
export function callStream(
  bench: Workbench,
  { call, context }: { readonly call: Call; readonly context: readonly Message[] },
  signal: AbortSignal,
): Response {
  const gone = new AbortController()
  return eventResponse(
    async (send) => {
      const start = performance.now()
      const tell = ({ event, data }: Told): void => {
        const happening: CallHappening = { event, at: performance.now() - start, data }
        send('happening', happening)
      }
      const id = globalThis.crypto.randomUUID()
      tell({ event: 'start', data: { id } })
      const outcome = await bench.run(
        call,
        { id, context, signal: AbortSignal.any([gone.signal, signal]) },
        tell,
      )
      tell({ event: 'end', data: outcome })
    },
    () => gone.abort(new Error('Stopped in the studio.')),
  )
}
