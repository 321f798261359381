import { brokenOff, tooLarge } from './body-problems.ts'
import type { HeldBytes, ServerRequest } from './exchange.ts'
import type { ServerLimits } from './limits.ts'
import { ServerProblem } from './problem-response.ts'

/**
 * Reads the body of a request as JSON, within limits of size, depth and time.
 *
 * @throws ServerProblem `unsupported_media_type`, `unsupported_coding`, `too_large`, `bad_request`, `busy`.
 */
export async function readJsonBody(
  request: ServerRequest,
  limits: ServerLimits,
  held?: HeldBytes,
): Promise<unknown> {
  requireJson(request)
  requireChunks(request.header('transfer-encoding'))
  if (Number(request.header('content-length') ?? 0) > limits.bodyBytes) throw tooLarge(limits)
  const text = textOf(await request.body(limits, held), limits)
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

/** @throws ServerProblem `unsupported_media_type` if the body is not JSON, or is encoded. */
function requireJson(request: ServerRequest): void {
  const type = request.header('content-type') ?? ''
  if (type !== 'application/json') requireJsonType(type)
  const encoding = request.header('content-encoding')
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return
  throw new ServerProblem(
    'unsupported_media_type',
    `The body is encoded as "${encoding.slice(0, 80)}". Send it as it is.`,
    { headers: { 'accept-encoding': 'identity' } },
  )
}

/** Node joins the chunks of a body, and leaves it compressed if it was compressed for its way. */
function requireChunks(coding: string | undefined): void {
  if (coding === undefined || /^chunked$/i.test(coding)) return
  throw new ServerProblem(
    'unsupported_coding',
    `The body has the transfer coding "${coding.slice(0, 80)}". Send it in plain chunks, or with its length.`,
  )
}

function requireJsonType(type: string): void {
  // CSRF: a form that a browser sends across origins without a preflight never has the type of JSON.
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new ServerProblem(
      'unsupported_media_type',
      `Expected content-type application/json, got "${type.slice(0, 80)}".`,
    )
  }
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(type) ?? []
  if (/^(?:utf-?8|us-ascii)$/i.test(charset)) return
  throw new ServerProblem('unsupported_media_type', `JSON is UTF-8, got charset "${charset.slice(0, 80)}".`)
}

/** Parses JSON; bytes that are not UTF-8 are an error rather than replaced. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

function textOf(bytes: Uint8Array, limits: ServerLimits): string {
  if (bytes.byteLength === 0)
    throw new ServerProblem('bad_request', 'The request has no body. Send a Call as JSON.')
  if (bytes.byteLength > limits.bodyBytes) throw tooLarge(limits)
  try {
    return utf8.decode(bytes)
  } catch (error) {
    throw brokenOff(error)
  }
}

/** Requires a limited depth. A value is never deeper than its text has opening brackets, so most need no further check. */
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
