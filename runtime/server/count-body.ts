import { brokenOff, tooLarge } from './body-problems.ts'
import type { HeldBytes } from './exchange.ts'
import type { ServerLimits } from './limits.ts'

/** The limits of a body. */
export type BodyLimits = Pick<ServerLimits, 'bodyBytes' | 'bodyTime'>

/**
 * Counts the bytes of one body as they arrive.
 *
 * @returns A function that receives the length of each piece. @throws ServerProblem `too_large`, `busy`.
 */
export function countBody(limits: BodyLimits, held: HeldBytes | undefined): (bytes: number) => void {
  let length = 0
  return (bytes) => {
    length += bytes
    held?.add(bytes)
    if (length > limits.bodyBytes) throw tooLarge(limits)
  }
}

/** Wraps a body so that it is read on demand, up to the server's limit, whoever reads it. */
export function countedBody(
  next: () => Promise<{ readonly done?: boolean | undefined; readonly value?: Uint8Array | undefined }>,
  limits: BodyLimits,
  held: HeldBytes | undefined,
): ReadableStream<Uint8Array> {
  const count = countBody(limits, held)
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await next().catch((error: unknown) => {
          throw brokenOff(error)
        })
        if (done || !value) {
          controller.close()
          return
        }
        count(value.byteLength)
        controller.enqueue(value)
      },
    },
    { highWaterMark: 0 },
  )
}
