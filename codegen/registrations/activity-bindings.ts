/** An expression that means `Activity`, or its `register`, in a source file. */
export interface ActivityBinding {
  /** The name, an alias, or a member of an imported module: `tools.Activity`. */
  readonly name: string
  readonly is: 'Activity' | 'register'
  readonly origin: ActivityOrigin
}

/**
 * The module specifier that a file imports an `Activity` from; `createRegistry` for a registry without generated code; undefined
 * if the text does not tell (a parameter, a destructured namespace).
 */
export type ActivityOrigin = string | undefined

const memberOf = (name: string): string =>
  String.raw`\{[^{}]*\b${name}\b(?:\s*(?:\bas\b|:)\s*(?<alias>[\w$]+))?[^{}]*\}`
const member = memberOf('Activity')
const literal = '[\'"`](?<from>[^\'"`]+)[\'"`]'
/** Matches the import of a module in an expression. */
export const load: string = String.raw`(?:\bimport|\brequire)\s*\(\s*${literal}[^()]*\)`
/** An equals sign, behind the type of what is declared. */
const becomes = String.raw`\s*(?::[^=;\n]{0,200})?=\s*`
const becomesLoaded = String.raw`${becomes}\(?\s*(?:await\s+)?${load}`
const whenLoaded = String.raw`${load}\s*\.\s*then\s*\(\s*(?:async\s*)?\(?\s*`

const imported = [
  new RegExp(String.raw`\bimport\s*(?:[\w$]+\s*,\s*)?${member}\s*from\s*${literal}`, 'g'),
  new RegExp(member + becomesLoaded, 'g'),
  new RegExp(whenLoaded + member, 'g'),
]
const modules = [
  new RegExp(String.raw`\bimport\s*(?:[\w$]+\s*,\s*)?\*\s*as\s+(?<module>[\w$]+)\s+from\s*${literal}`, 'g'),
  new RegExp(String.raw`(?<![\w$.])(?<module>[\w$]+)${becomesLoaded}`, 'g'),
  new RegExp(String.raw`${whenLoaded}(?<module>[\w$]+)`, 'g'),
]
const created = new RegExp(String.raw`${member}${becomes}createRegistry\b`, 'g')

/**
 * Returns the expressions that mean `Activity` or its `register` in a file, by a text scan. The plain name `Activity` always does: it
 * may be a parameter.
 *
 * @param uncommented The file's text without comments.
 */
export function activityBindings(uncommented: string): ActivityBinding[] {
  const all = (pattern: RegExp): Record<string, string | undefined>[] =>
    [...uncommented.matchAll(pattern)].map(({ groups }) => groups ?? {})
  const bindings = new Map<string, ActivityBinding>()
  const bind = (name: string, origin: ActivityOrigin, is: ActivityBinding['is'] = 'Activity'): void => {
    if (!bindings.has(name)) bindings.set(name, { name, is, origin })
  }
  for (const { alias = 'Activity', from } of imported.flatMap(all)) bind(alias, from)
  const namespaces = modules.flatMap(all).map(({ module = '', from }) => ({ module, from }))
  for (const { module, from } of namespaces) bind(`${module}.Activity`, from)
  for (const { alias = 'Activity' } of all(created)) bind(alias, 'createRegistry')
  for (const { module, from } of namespaces) {
    for (const { alias = 'Activity' } of all(takenFrom(member, module))) bind(alias, from)
  }
  bind('Activity', undefined)
  // What is bound within the loop has other names in turn.
  for (const { name, origin } of bindings.values()) {
    for (const { alias = '' } of all(renamed(name))) bind(alias, origin)
  }
  for (const { name, origin } of [...bindings.values()]) {
    for (const { alias = 'register' } of all(takenFrom(memberOf('register'), name))) {
      bind(alias, origin, 'register')
    }
    for (const { alias = '' } of all(renamed(`${name}.register`))) bind(alias, origin, 'register')
  }
  return [...bindings.values()]
}

/** Matches an expression of a binding's name, also with `?` or `!` before a dot. */
export function expressionOf(name: string): string {
  return name.replaceAll('$', '\\$').replaceAll('.', String.raw`\s*[?!]?\s*\.\s*`)
}

/** Matches a destructuring of what has a name. */
function takenFrom(members: string, name: string): RegExp {
  return new RegExp(String.raw`${members}${becomes}${expressionOf(name)}(?![\w$]|\s*[?!]?\s*[.([])`, 'g')
}

/** Matches the declaration of another name for an expression, or for a function bound to it. */
function renamed(name: string): RegExp {
  const whole = String.raw`${expressionOf(name)}(?![\w$]|\s*[?!]?\s*[.([])`
  const bound = String.raw`${expressionOf(name)}\s*\.\s*bind\s*\(`
  return new RegExp(String.raw`\b(?:const|let|var)\s+(?<alias>[\w$]+)${becomes}(?:${whole}|${bound})`, 'g')
}
