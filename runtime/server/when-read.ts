/** Wraps a stream; calls back once when it was read to its end, failed, or was cancelled. */
export function whenRead(stream: ReadableStream<Uint8Array>, done: () => void): ReadableStream<Uint8Array> {
  const reader = stream.getReader()
  reader.closed.then(done, done)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done: isOver, value } = await reader.read()
        if (isOver) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // No buffering here: the wrapped stream decides how much may be buffered.
    { highWaterMark: 0 },
  )
}
