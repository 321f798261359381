/** Wraps a stream; calls back when it was read to its end, failed, or was cancelled. */
export function whenRead(stream: ReadableStream<Uint8Array>, done: () => void): ReadableStream<Uint8Array> {
  const reader = stream.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done: isOver, value } = await reader.read()
          if (!isOver) {
            controller.enqueue(value)
            return
          }
          controller.close()
        } catch (error) {
          controller.error(error)
        }
        done()
      },
      cancel(reason) {
        done()
        return reader.cancel(reason)
      },
    },
    // No buffering here: the wrapped stream decides how much may be buffered.
    { highWaterMark: 0 },
  )
}
