import type { HeldBody } from './body-budget.ts'
import type { ServerRequest } from './exchange.ts'
import type { Principal } from './gate.ts'

/** A request that was let in. */
export interface AdmittedRequest {
  readonly request: ServerRequest
  /** Who asks, where the server wants to know. */
  readonly principal: Principal | undefined
  /** What of its body is in memory. */
  readonly held: HeldBody
}
