import { isFileInUse } from '../../runtime/problems/is-file-in-use.ts'

/** How long each try waits for the next, in milliseconds: two seconds in all, where a scanner takes a fraction of one. */
const pauses: readonly number[] = [5, 10, 20, 40, 80, 160, 320, 640, 725]

/** A function of the file system that tries again what another program stands in the way of. */
export function patiently<Act extends (...args: never[]) => unknown>(
  act: Act,
  pause: (milliseconds: number) => void = block,
): Act {
  const again = (...args: Parameters<Act>): unknown => {
    for (const milliseconds of pauses) {
      try {
        return act(...args)
      } catch (error) {
        if (!isFileInUse(error)) throw error
        pause(milliseconds)
      }
    }
    return act(...args)
  }
  return again as Act // takes what the original takes, and returns what that returns
}

function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
