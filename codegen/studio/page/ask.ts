import { readEvents } from '../../../runtime/server/read-events.ts'

/** The studio's server refused a request, or does not answer. */
export class AskError extends Error {
  override name = 'AskError'
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** Characters of an event: the studio sends whole outputs. Browsers have no texts beyond 536,870,888. */
const longestEvent = 500_000_000

const storedToken = 'callsheet-token'

/** Reads the token from the address and removes it from the address bar at once. */
function takeToken(): string {
  const found = /^#token=(?<token>[\w-]+)$/.exec(location.hash)?.groups?.token
  if (found === undefined) return sessionStorage.getItem(storedToken) ?? ''
  sessionStorage.setItem(storedToken, found)
  history.replaceState(null, '', location.pathname)
  return found
}

const token = takeToken()

async function send(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response
  try {
    response = await fetch(`/api/${path}`, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${token}` },
    })
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new AskError('The studio does not answer. Is `callsheet studio` still running?', 0)
  }
  if (response.ok) return response
  const problem = (await response.json().catch(() => ({}))) as { detail?: string }
  throw new AskError(problem.detail ?? `The studio answered with status ${response.status}.`, response.status)
}

/** Sends a GET request. @throws AskError */
export async function get<Answer>(path: string): Promise<Answer> {
  return (await (await send(path)).json()) as Answer
}

/** Sends a POST request and reads the response. @throws AskError */
export async function post<Answer>(path: string, body: unknown, signal?: AbortSignal): Promise<Answer> {
  return (await (await send(path, posted(body, signal))).json()) as Answer
}

/** Sends a request and passes on the events of the response as they arrive. @throws AskError, also for a `problem` event. */
export async function follow(
  path: string,
  body: unknown,
  onEvent: (event: string, data: unknown) => void,
  signal?: AbortSignal,
): Promise<void> {
  const response = await send(path, posted(body, signal))
  if (!response.body) throw new AskError('The studio answered without a body.', response.status)
  for await (const { event, data } of readEvents(response.body, longestEvent)) {
    if (event === 'problem') throw new AskError((data as { message: string }).message, 200)
    onEvent(event, data)
  }
}

function posted(body: unknown, signal: AbortSignal | undefined): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  }
}
