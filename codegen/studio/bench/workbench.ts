import type { ComposeOptions } from '../../../runtime/compose/compose.ts'
import type { Call, Message } from '../../../runtime/context/message.ts'
import type { DialectName } from '../../../runtime/dialects/dialect-name.ts'
import type { ToolSchema } from '../../../runtime/schema/schema.ts'
import type { OutcomeJson } from '../../../runtime/server/outcome-json.ts'
import type { CountTokens } from '../../explain/token-counter.ts'
import type { CallHappening } from '../wire/tools.ts'

/** The studio's source of Tools, which also runs their Calls. */
export interface Workbench {
  /** The project's folder, or the server's URL. */
  readonly place: string
  readonly isRemote: boolean
  readonly tools: readonly BenchTool[]
  readonly dialects: readonly DialectName[]
  readonly composeOptions: ComposeOptions
  readonly countTokens: CountTokens | undefined
  /** Runs a Call to its Outcome. @param tell Called with each event of the run. */
  run(call: Call, options: BenchRun, tell: (happening: Told) => void): Promise<OutcomeJson>
}

export interface BenchTool {
  readonly name: string
  readonly schema: ToolSchema
  /** The Activity of its Calls; `''` if a model answers them. */
  readonly activity: string
}

export interface BenchRun {
  readonly id: string
  readonly context: readonly Message[]
  readonly signal: AbortSignal
}

export type Told = Pick<CallHappening, 'event' | 'data'>
