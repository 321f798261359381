import { copyJson } from './json-copy.ts'
import { isJson } from './not-json.ts'

/** A copy for a listener: who takes out of it what no log is to hold changes nothing of what runs. What is no JSON stays as it is. */
export function ownCopy<Value>(value: Value): Value {
  try {
    return isJson(value) ? copyJson(value) : value
  } catch {
    // A getter or a proxy threw: that it cannot be read is told elsewhere.
    return value
  }
}
