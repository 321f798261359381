/** An expression that means `Activity` in a source file. */
export interface ActivityBinding {
  /** The name, an alias, or a member of an imported module: `tools.Activity`. */
  readonly name: string
  readonly origin: ActivityOrigin
}

/**
 * The module specifier that a file imports an `Activity` from; `createRegistry` for a registry without generated code; undefined
 * if the text does not tell (a parameter, a destructured namespace).
 */
export type ActivityOrigin = string | undefined

const member = String.raw`\{[^{}]*\bActivity\b(?:\s*(?:\bas\b|:)\s*(?<alias>[\w$]+))?[^{}]*\}`
const literal = `['"](?<from>[^'"]+)['"]`
const load = String.raw`=\s*(?:await\s+import|require)\s*\(\s*${literal}`

const imported = new RegExp(String.raw`\bimport\s*(?:[\w$]+\s*,\s*)?${member}\s*from\s*${literal}`, 'g')
const loaded = new RegExp(String.raw`${member}\s*${load}`, 'g')
const modules = [
  new RegExp(String.raw`\bimport\s*(?:[\w$]+\s*,\s*)?\*\s*as\s+(?<module>[\w$]+)\s+from\s*${literal}`, 'g'),
  new RegExp(String.raw`\b(?:const|let|var)\s+(?<module>[\w$]+)\s*${load}`, 'g'),
]
const created = new RegExp(String.raw`${member}\s*(?::[^=]*)?=\s*createRegistry\b`, 'g')

/**
 * Returns the expressions that mean `Activity` in a file, by a text scan. The plain name always does: it may be a parameter.
 *
 * @param uncommented The file's text without comments.
 */
export function activityBindings(uncommented: string): ActivityBinding[] {
  const all = (pattern: RegExp): Record<string, string | undefined>[] =>
    [...uncommented.matchAll(pattern)].map(({ groups }) => groups ?? {})
  const found = [
    ...[imported, loaded].flatMap(all).map(({ alias, from }) => ({ name: alias, origin: from })),
    ...modules.flatMap(all).map(({ module, from }) => ({ name: `${module}.Activity`, origin: from })),
    ...all(created).map(({ alias }) => ({ name: alias, origin: 'createRegistry' })),
    { name: undefined, origin: undefined },
  ]
  const bindings = new Map<string, ActivityBinding>()
  for (const { name = 'Activity', origin } of found) {
    if (!bindings.has(name)) bindings.set(name, { name, origin })
  }
  return [...bindings.values()]
}
