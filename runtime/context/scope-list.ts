import { formatPath, invalidPath, type Path, parseExpression } from './reference.ts'

/** A parsed allow-list: the allowed paths within the data of each kind. An empty path allows the whole kind. */
export type Scopes = ReadonlyMap<string, readonly Path['segments'][]>

/**
 * Parses an allow-list of kinds (`state`) and References (`†state.deploy`) (SCOPE-1). References joined by `||` and `&&` are all
 * allowed.
 *
 * @throws CallError `invalid_path` for an entry that is neither.
 */
export function parseScopes(entries: readonly string[]): Scopes {
  const scopes = new Map<string, Path['segments'][]>()
  // Each once: a model can repeat one a hundred thousand times.
  for (const entry of new Set(entries)) {
    for (const { kind, segments } of pathsOf(entry)) {
      const ways = scopes.get(kind)
      if (ways) ways.push(segments)
      else scopes.set(kind, [segments])
    }
  }
  return scopes
}

function pathsOf(entry: string): readonly Path[] {
  const expression = parseExpression(entry)
  if (expression && expression.reserved === undefined) {
    const paths = expression.alternatives.flat()
    if (expression.daggers) return paths
    const [kind = '', ...rest] = paths[0]?.segments ?? []
    if (paths.length === 1) {
      if (rest.length === 0) return [{ kind, segments: rest }]
      // A kind has no dots: `state.deploy` would name a kind that nobody writes, and so allow nothing.
      throw invalidPath(entry, `${formatPath({ kind, segments: rest })} as a scope, with its †`)
    }
  }
  throw invalidPath(entry, 'a kind such as state, or a Reference such as †state.deploy, as a scope')
}

/** True if everything at the path is allowed. */
export function allows(scopes: Scopes, { kind, segments }: Path): boolean {
  const ways = scopes.get(kind)
  return (ways ?? []).some((way) => way.every((segment, index) => segment === segments[index]))
}
