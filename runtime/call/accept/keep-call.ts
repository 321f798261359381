import type { Call } from '../../context/message.ts'
import { copyPlain } from '../../json/copy-plain.ts'

/**
 * Keeps a Call as it was handed over where it is accepted only later: what its caller, or a hook, does to the object in
 * between changes nothing. What cannot be copied stays as it is, since accepting it says what is wrong with it.
 */
export function keepCall(call: Call): Call {
  try {
    return copyPlain(call)
  } catch {
    return call
  }
}
