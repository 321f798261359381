import { copyJson } from './json-copy.ts'
import { isJson } from './not-json.ts'

/**
 * Copies JSON for a listener, which may then redact it without changing what runs. Values that are not JSON are
 * returned uncopied.
 */
export function ownCopy<Value>(value: Value): Value {
  try {
    return isJson(value) ? copyJson(value) : value
  } catch {
    // A getter or a proxy threw; accepting the value reports that it cannot be read.
    return value
  }
}
