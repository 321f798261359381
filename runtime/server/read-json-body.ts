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
  if (isDeeperThan(value, limits.bodyDepth)) {
    throw new ServerProblem('bad_request', `The body is nested deeper than ${limits.bodyDepth} levels.`)
  }
  return value
}

async function readText(request: Request, { bodyBytes, bodyTime }: ServerLimits): Promise<string> {
  const tooLarge = (): ServerProblem =>
    new ServerProblem('too_large', `The body is larger than ${bodyBytes} bytes.`)
  if (Number(request.headers.get('content-length') ?? 0) > bodyBytes) throw tooLarge()
  if (!request.body) throw new ServerProblem('bad_request', 'The request has no body. Send a Call as JSON.')
  const reader = request.body.getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let bytes = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooSlow = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new ServerProblem('bad_request', `The body did not arrive within ${bodyTime} ms.`)),
      bodyTime,
    )
  })
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), tooSlow])
      if (done) return text + decoder.decode()
      bytes += value.byteLength
      if (bytes > bodyBytes) throw tooLarge()
      text += decoder.decode(value, { stream: true })
    }
  } catch (error) {
    // The rest is not wanted; that cancelling fails as well changes nothing.
    reader.cancel().catch(() => undefined)
    if (error instanceof ServerProblem) throw error
    throw new ServerProblem('bad_request', 'The body broke off, or is not UTF-8.')
  } finally {
    clearTimeout(timer)
  }
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
