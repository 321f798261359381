/** Wraps a stream; calls back once it was read to its end, broke, or is not wanted any more. */
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
    // It holds nothing back itself: how much may wait is the stream's own business.
    { highWaterMark: 0 },
  )
}
