import type { HeldBody } from './body-budget.ts'
import type { ServerRequest } from './exchange.ts'
import type { Principal } from './gate.ts'

/** A request that passed the gate. */
export interface AdmittedRequest {
  readonly request: ServerRequest
  /** The caller, if the server has `authorize`. */
  readonly principal: Principal | undefined
  /** Counts the bytes of its body in memory. */
  readonly held: HeldBody
}
