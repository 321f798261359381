import { isJsonObject, type JsonObject, own } from '../../runtime/json/json.ts'
import { withoutMark } from '../../runtime/json/without-mark.ts'
import { briefly } from '../../runtime/problems/problem.ts'

/**
 * Adds missing members to a `package.json`; undefined if none are missing. Keeps indentation and line ends.
 *
 * @throws SyntaxError for a text that is no JSON, and for a member that has to be an object and is not.
 */
export function addToPackage(text: string | undefined, wanted: JsonObject): string | undefined {
  if (text === undefined) return `${JSON.stringify(wanted, null, 2)}\n`
  const present: unknown = JSON.parse(withoutMark(text))
  if (!isJsonObject(present)) throw new SyntaxError('it is not an object')
  const added = withMissing(present, wanted)
  if (JSON.stringify(added) === JSON.stringify(present)) return undefined
  const [, indent = '  '] = /^\uFEFF?\{\r?\n([ \t]+)/.exec(text) ?? []
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  const written = JSON.stringify(added, null, indent).replaceAll('\n', lineEnd)
  return /\n$/.test(text) ? written + lineEnd : written
}

/** A package in any of these lists is not added to another one. */
const dependencyLists = ['dependencies', 'devDependencies', 'peerDependencies']

function withMissing(present: JsonObject, wanted: JsonObject): JsonObject {
  const added: JsonObject = { ...present }
  for (const [key, value] of Object.entries(wanted)) {
    if (Array.isArray(value) && own(present, key) !== undefined) {
      added[key] = withItems(key, own(present, key), value)
      continue
    }
    if (!isJsonObject(value)) {
      if (own(present, key) === undefined && !isSettled(key)) added[key] = value
      continue
    }
    const before = own(present, key)
    if (before !== undefined && !isJsonObject(before)) {
      throw new SyntaxError(`"${key}" has to be an object, got ${briefly(before)}`)
    }
    const missing = Object.entries(value).filter(
      ([name]) =>
        own(before ?? {}, name) === undefined && !(dependencyLists.includes(key) && dependsOn(present, name)),
    )
    if (missing.length > 0) added[key] = { ...before, ...Object.fromEntries(missing) }
  }
  return added
}

/**
 * Adds missing items to a list of globs, such as `workspaces`, which Yarn also reads from an object with the list in
 * `packages`.
 */
function withItems(key: string, before: unknown, wanted: readonly unknown[]): unknown {
  if (isJsonObject(before) && Array.isArray(before.packages)) {
    return { ...before, packages: withItems(key, before.packages, wanted) }
  }
  if (!Array.isArray(before)) throw new SyntaxError(`"${key}" has to be a list, got ${briefly(before)}`)
  const known = before.map((item) =>
    String(item)
      .replace(/^\.\//, '')
      .replace(/\*\*?\/?$/, '*'),
  )
  return [...before, ...wanted.filter((item) => !known.includes(String(item)))]
}

/** Whether an absent member is a deliberate choice in an existing package: no name, public, CommonJS. */
function isSettled(key: string): boolean {
  return ['name', 'private', 'version', 'type'].includes(key)
}

function dependsOn(present: JsonObject, name: string): boolean {
  return dependencyLists.some((list) => {
    const dependencies = own(present, list)
    return isJsonObject(dependencies) && own(dependencies, name) !== undefined
  })
}
