import type { ServerLimits } from './limits.ts'
import { ServerProblem } from './problem-response.ts'

/**
 * Reads the body of a request as JSON, within limits of size, depth and time.
 *
 * @throws ServerProblem `unsupported_media_type`, `too_large`, `bad_request`.
 */
export async function readJsonBody(request: Request, limits: ServerLimits): Promise<unknown> {
  const type = request.headers.get('content-type') ?? ''
  // A form that a browser sends across origins without asking first is never JSON by its type.
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new ServerProblem(
      'unsupported_media_type',
      `Expected content-type application/json, got "${type.slice(0, 80)}".`,
    )
  }
  const text = await readText(request, limits)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ServerProblem(
      'bad_request',
      `The body is not JSON: ${(error as SyntaxError).message.slice(0, 200)}.`,
    )
  }
  if (mayBeDeeperThan(text, limits.bodyDepth) && isDeeperThan(value, limits.bodyDepth)) {
    throw new ServerProblem('bad_request', `The body is nested deeper than ${limits.bodyDepth} levels.`)
  }
  return value
}

/** Bytes that are not UTF-8 are no JSON, and nothing is put in their place. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

async function readText(request: Request, limits: ServerLimits): Promise<string> {
  const { bodyBytes, bodyTime } = limits
  const length = request.headers.get('content-length')
  if (Number(length ?? 0) > bodyBytes) throw tooLarge(limits)
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new ServerProblem('bad_request', `The body did not arrive within ${bodyTime} ms.`)),
      bodyTime,
    )
  })
  try {
    // A length that was said is held to by whoever reads the connection, and costs a fifth of a stream that has to be counted.
    const bytes =
      length === null
        ? await readCounted(request, limits, late)
        : await Promise.race([request.arrayBuffer(), late])
    if (bytes.byteLength === 0)
      throw new ServerProblem('bad_request', 'The request has no body. Send a Call as JSON.')
    if (bytes.byteLength > bodyBytes) throw tooLarge(limits)
    return utf8.decode(bytes)
  } catch (error) {
    if (error instanceof ServerProblem) throw error
    throw new ServerProblem('bad_request', 'The body broke off, or is not UTF-8.')
  } finally {
    clearTimeout(timer)
  }
}

/** Reads a body of unknown length, and no further than it may be long. */
async function readCounted(
  request: Request,
  limits: ServerLimits,
  late: Promise<never>,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!request.body) return new Uint8Array()
  const reader = request.body.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late])
      if (done) break
      length += value.byteLength
      if (length > limits.bodyBytes) throw tooLarge(limits)
      chunks.push(value)
    }
  } catch (error) {
    // The rest is not wanted; that cancelling fails as well changes nothing.
    reader.cancel().catch(() => undefined)
    throw error
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}

function tooLarge({ bodyBytes }: ServerLimits): ServerProblem {
  return new ServerProblem('too_large', `The body is larger than ${bodyBytes} bytes.`)
}

/** No value is deeper than its text opens brackets. Most have a few, and then nobody has to look into the value. */
function mayBeDeeperThan(text: string, most: number): boolean {
  let opened = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if ((code === 0x7b || code === 0x5b) && ++opened > most) return true
  }
  return false
}

function isDeeperThan(root: unknown, most: number): boolean {
  let level: unknown[] = [root]
  for (let depth = 0; level.length > 0; depth++) {
    const inside = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    )
    const hasObject = level.some((value) => typeof value === 'object' && value !== null)
    if (hasObject && depth >= most) return true
    level = inside
  }
  return false
}
