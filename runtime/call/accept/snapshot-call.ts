import type { Call } from '../../context/message.ts'
import { copyPlain } from '../../json/copy-plain.ts'

/**
 * Copies a Call that is accepted only later, so that changes by its caller or a hook in between have no effect. A Call
 * that cannot be copied is returned unchanged: accepting it reports what is wrong.
 */
export function snapshotCall(call: Call): Call {
  try {
    return copyPlain(call)
  } catch {
    return call
  }
}
