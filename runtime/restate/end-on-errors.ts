import { isCallsheetError } from '../errors.ts'
import type { RestateSdk } from './sdk.ts'

/** Runs work, and ends the invocation without retries if it throws a CallsheetError. */
export async function endOnErrors<Output>(sdk: RestateSdk, work: () => Promise<Output>): Promise<Output> {
  try {
    return await work()
  } catch (thrown) {
    if (!isCallsheetError(thrown)) throw thrown
    const errorCode = thrown.code === 'aborted' ? 409 : 422
    throw new sdk.TerminalError(`${thrown.code}: ${thrown.message}`, { errorCode })
  }
}
