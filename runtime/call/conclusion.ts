import type { Message } from '../context/message.ts'
import type { OutputError } from '../errors.ts'

/** What a finished implementation comes to. */
export interface Conclusion {
  /** Absent when the Tool has none, or when a Message took another branch (OUT-7). */
  output?: unknown
  message?: Message
  appended: readonly Message[]
  /** Why the output is not allowed (ACT-7). */
  invalid?: OutputError
}
