import type { AdmittedRequest } from './admitted-request.ts'
import type { Answer, ServerRequest } from './exchange.ts'
import { ServerProblem } from './problem-response.ts'

/** What the server has at a path. */
export interface Route {
  readonly methods: readonly string[]
  /** @param rest The part of the path that is given, as it stands there. */
  readonly answer: (admitted: AdmittedRequest, rest: string) => Answer | Promise<Answer>
}

/** What there is, by path; `*` stands for one part that is given. */
export type Routes = Readonly<Record<string, Route>>

/**
 * Answers a request by the route of its path.
 *
 * @param basePath Where the server is mounted.
 * @throws ServerProblem `not_found` for another path, `method_not_allowed` for another method.
 */
export async function answerByRoute(
  routes: Routes,
  admitted: AdmittedRequest,
  basePath: string,
): Promise<Answer> {
  const { request } = admitted
  const path = pathOf(request, basePath)
  const [, first = '', second, ...more] = path.split('/')
  const shape = second === undefined ? first : `${first}/*`
  const route = more.length === 0 && Object.hasOwn(routes, shape) ? routes[shape] : undefined
  if (!route) {
    throw new ServerProblem(
      'not_found',
      `There is nothing at ${path.slice(0, 100)}. GET /openapi.json says what there is.`,
    )
  }
  const { methods } = route
  if (request.method === 'OPTIONS')
    return preflight(methods, request.header('access-control-request-headers'))
  if (methods.includes(request.method)) return route.answer(admitted, second ?? '')
  throw new ServerProblem(
    'method_not_allowed',
    `${path.slice(0, 100)} takes ${methods.join(', ')}, got ${request.method.slice(0, 20)}.`,
    { headers: { allow: methods.join(', ') } },
  )
}

/** The path below the one that the server is mounted at. */
function pathOf(request: ServerRequest, basePath: string): string {
  if (basePath !== '' && request.path !== basePath && !request.path.startsWith(`${basePath}/`))
    throw new ServerProblem('not_found', `This server is at ${basePath}.`)
  const path = request.path.slice(basePath.length)
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/**
 * A browser asks whether a page of another origin may call; whether it really may is decided with the request itself. So any headers will do:
 * which of them name who asks, `authorize` knows.
 */
function preflight(methods: readonly string[], headers: string | undefined): Answer {
  return {
    status: 204,
    headers: {
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers': headers && /^[\w, -]+$/.test(headers) ? headers : 'content-type',
      'access-control-max-age': '600',
    },
    body: null,
  }
}
