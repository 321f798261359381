/** A body of spaces without an end, which counts the bytes that were read of it. */
export function endlessBody() {
  let read = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      read += 65_536
      controller.enqueue(new Uint8Array(65_536).fill(32))
    },
  })
  return { body, bytesRead: () => read }
}
