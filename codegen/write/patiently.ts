import { isFileInUse } from '../../runtime/problems/is-file-in-use.ts'

/** Pauses between attempts, in milliseconds: two seconds in total; a virus scanner holds a file for a fraction of one. */
const pauses: readonly number[] = [5, 10, 20, 40, 80, 160, 320, 640, 725]

/** Wraps a file-system function to retry while another program holds the file. */
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
  return again as Act // safe cast: the same parameters and result as the original
}

function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
