/** The text of a body, or its first part. */
export interface TextStart {
  readonly text: string
  /** Why it is not all of it: the connection broke, or it is too long. */
  readonly broke?: unknown
}

/** Reads the text of a body, which may be endless, up to its maximum length in characters. */
export async function readStart(
  body: ReadableStream<Uint8Array> | null,
  longest: number,
): Promise<TextStart> {
  if (!body) return { text: '' }
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  try {
    while (text.length <= longest) {
      const { done, value } = await reader.read()
      if (done) return { text }
      text += decoder.decode(value, { stream: true })
    }
    return { text, broke: new Error(`It is longer than ${longest} characters`) }
  } catch (broke) {
    return { text, broke }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
