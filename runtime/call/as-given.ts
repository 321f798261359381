import type { Call } from '../context/message.ts'
import { copyJson } from '../json/json-copy.ts'

/**
 * A Call as it was handed over, where it is accepted only later: what its caller, or a hook, does to the object in
 * between changes nothing. What cannot be copied comes back as it is, since accepting it says what is wrong with it.
 */
export function asGiven(call: Call): Call {
  try {
    return copyJson(call)
  } catch {
    return call
  }
}
