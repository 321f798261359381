import type { AdmittedRequest } from './admitted-request.ts'
import type { Answer, ServerRequest } from './exchange.ts'
import { ServerProblem } from './problem-response.ts'

/** The handlers of a path, by method. */
export interface Route {
  readonly methods: readonly string[]
  /** @param rest The path segment that matched `*`, still encoded. */
  readonly answer: (admitted: AdmittedRequest, rest: string) => Answer | Promise<Answer>
}

/** Routes by path; `*` matches one segment. */
export type Routes = Readonly<Record<string, Route>>

/**
 * Answers a request by the route of its path.
 *
 * @param basePath The base path of the server.
 * @throws ServerProblem `not_found` for another path, `method_not_allowed` for another method.
 */
export async function answerByRoute(
  routes: Routes,
  admitted: AdmittedRequest,
  basePath: string,
): Promise<Answer> {
  const { request } = admitted
  const path = pathOf(request, basePath)
  const parts = path.split('/').slice(1)
  const route = routeOf(routes, parts)
  if (!route) {
    throw new ServerProblem(
      'not_found',
      `There is nothing at ${path.slice(0, 100)}. ${whatThereIs(routes, parts, basePath)}`,
    )
  }
  return answerWith(route, admitted, path, parts[1])
}

/**
 * Answers a request by its route.
 *
 * @param path The path for the message.
 * @param rest The path segment that matched `*`.
 * @throws ServerProblem `method_not_allowed`.
 */
export async function answerWith(
  { methods, answer }: Route,
  admitted: AdmittedRequest,
  path: string,
  rest: string = '',
): Promise<Answer> {
  const { request } = admitted
  if (request.method === 'OPTIONS')
    return preflight(methods, request.header('access-control-request-headers'))
  if (methods.includes(request.method)) return answer(admitted, rest)
  throw new ServerProblem(
    'method_not_allowed',
    `${path.slice(0, 100)} takes ${methods.join(', ')}, got ${request.method.slice(0, 20)}.`,
    { headers: { allow: methods.join(', ') } },
  )
}

/** Finds the route of a path. */
function routeOf(routes: Routes, [first = '', ...rest]: readonly string[]): Route | undefined {
  const shape = rest.length === 0 ? first : `${first}/*`
  return rest.length <= 1 && Object.hasOwn(routes, shape) ? routes[shape] : undefined
}

/** Suggests a fix: if the path ends like one of the server's own, the server is probably mounted below another path. */
function whatThereIs(routes: Routes, parts: readonly string[], basePath: string): string {
  const prefix = [1, 2, 3].find((length) => length < parts.length && routeOf(routes, parts.slice(length)))
  if (prefix === undefined || basePath !== '') return `GET ${basePath}/openapi.json says what there is.`
  const mounted = `/${parts.slice(0, prefix).join('/')}`
  return `A server that is mounted at ${mounted.slice(0, 100)} is told so by its option basePath.`
}

/** Returns the path relative to the base path. */
function pathOf(request: ServerRequest, basePath: string): string {
  if (basePath !== '' && request.path !== basePath && !request.path.startsWith(`${basePath}/`)) {
    throw new ServerProblem(
      'not_found',
      `This server is at ${basePath}, got ${request.path.slice(0, 100)}. Where a router takes the prefix away, leave its option basePath out.`,
    )
  }
  const path = request.path.slice(basePath.length)
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/**
 * Answers a CORS preflight. The request itself is checked later, so all headers are allowed: only `authorize` knows
 * which of them carry credentials.
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
