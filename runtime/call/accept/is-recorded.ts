import type { RegistryState } from '../registry-state.ts'
import type { RunOptions } from '../run-options.ts'
import { activeTracer } from '../telemetry/tracer.ts'

/** Returns true if a hook, a listener or a tracer sees the Outcomes of a run, so that each needs a copy of its Call. */
export function isRecorded({ events }: RegistryState, { after, policy, telemetry }: RunOptions): boolean {
  return (
    after !== undefined ||
    policy !== undefined ||
    events.has('call:end') ||
    activeTracer(telemetry) !== undefined
  )
}
