import { dirname, join, posix, resolve } from 'node:path'
import { isJsonObject, type JsonObject } from '../../runtime/json/json.ts'
import { withoutMark } from '../../runtime/json/without-mark.ts'
import { portablePath } from '../paths/portable-path.ts'
import { readIfPresent, realFileSystem } from '../write/file-system.ts'
import { compilerOptions, withConfigFolder } from './compiler-options.ts'

/** Returns the source file that a specifier in a file means; undefined for one of a package. */
export type ResolveSpecifier = (specifier: string, file: string) => string | undefined

/**
 * Makes a resolver of relative paths, aliases in the project's `tsconfig.json` (`paths`, `baseUrl`) and the `imports` of the
 * nearest `package.json`. Paths of files are relative to the root.
 *
 * @param exists Whether a file exists.
 */
export function specifierResolver(root: string, exists: (file: string) => boolean): ResolveSpecifier {
  let aliases: Aliases | undefined
  return (specifier, file) => {
    if (/^\.{1,2}(?:\/|$)/.test(specifier)) {
      return sourceAt(posix.join(posix.dirname(file), specifier), exists)
    }
    aliases ??= readAliases(root)
    const paths = aliased(specifier, aliases)
    if (specifier.startsWith('#')) paths.push(...packageImport(specifier, dirname(resolve(root, file))))
    for (const path of paths) {
      const found = sourceAt(portablePath(root, path), exists)
      if (found !== undefined) return found
    }
    return undefined
  }
}

/** Returns the source that an import of a path means. */
function sourceAt(path: string, exists: (file: string) => boolean): string | undefined {
  return sourcesFor(path).find((candidate) => /\.[cm]?[jt]sx?$/.test(candidate) && exists(candidate))
}

/** Lists the files that an import of a path can mean, best first: `.js` stands for `.ts` too, and a folder for its index. */
export function sourcesFor(path: string): string[] {
  const typed = path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2')
  const rest = ['.ts', '.tsx', '.js', '/index.ts', '/index.js'].map((end) => path + end)
  return [typed, path, ...rest]
}

/** The aliases of a `tsconfig.json`; paths in `base` are absolute. */
interface Aliases {
  readonly root: string
  readonly paths: JsonObject
  readonly pathsBase: string
  readonly baseUrl: string | undefined
}

function readAliases(root: string): Aliases {
  const { paths, pathsBasePath, baseUrl } = compilerOptions(join(root, 'tsconfig.json'), [])
  const base = typeof baseUrl === 'string' ? resolve(root, withConfigFolder(baseUrl, root)) : undefined
  const own = typeof pathsBasePath === 'string' ? pathsBasePath : root
  return { root, paths: isJsonObject(paths) ? paths : {}, pathsBase: base ?? own, baseUrl: base }
}

/** Returns the absolute paths that a specifier stands for by the aliases, best first. */
function aliased(specifier: string, { root, paths, pathsBase, baseUrl }: Aliases): string[] {
  const match = matchOf(specifier, Object.keys(paths))
  const targets = match ? [paths[match.key]].flat().filter((target) => typeof target === 'string') : []
  const places = targets.map((target) => target.replace('*', () => match?.inner ?? ''))
  return [
    ...places.map((place) => resolve(pathsBase, withConfigFolder(place, root))),
    ...(baseUrl === undefined ? [] : [resolve(baseUrl, specifier)]),
  ]
}

/** Returns the absolute paths that a specifier with `#` stands for by the nearest `package.json`, for any condition. */
function packageImport(specifier: string, folder: string): string[] {
  const text = readIfPresent(join(folder, 'package.json'), realFileSystem)
  if (text === undefined) {
    return folder === dirname(folder) ? [] : packageImport(specifier, dirname(folder))
  }
  const imports = importsIn(text)
  const match = matchOf(specifier, Object.keys(imports))
  if (!match) return []
  return targetsIn(imports[match.key])
    .filter((target) => target.startsWith('./'))
    .map((target) =>
      resolve(
        folder,
        target.replaceAll('*', () => match.inner),
      ),
    )
}

function importsIn(text: string): JsonObject {
  try {
    const manifest: unknown = JSON.parse(withoutMark(text))
    return isJsonObject(manifest) && isJsonObject(manifest.imports) ? manifest.imports : {}
  } catch (error) {
    // npm reports a package.json that is not JSON.
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

/** Returns the targets of an entry of `imports`, whatever their conditions. */
function targetsIn(entry: unknown): string[] {
  if (typeof entry === 'string') return [entry]
  if (Array.isArray(entry)) return entry.flatMap(targetsIn)
  return isJsonObject(entry) ? Object.values(entry).flatMap(targetsIn) : []
}

/** Finds the key that a specifier matches, with what its `*` stands for: an equal one, else the one with the longest prefix. */
function matchOf(
  specifier: string,
  keys: readonly string[],
): { readonly key: string; readonly inner: string } | undefined {
  if (keys.includes(specifier)) return { key: specifier, inner: '' }
  const matches = keys.flatMap((key) => {
    const [prefix = '', suffix] = key.split('*')
    if (suffix === undefined || specifier.length < prefix.length + suffix.length) return []
    if (!specifier.startsWith(prefix) || !specifier.endsWith(suffix)) return []
    return [{ key, prefix, inner: specifier.slice(prefix.length, specifier.length - suffix.length) }]
  })
  return matches.sort((left, right) => right.prefix.length - left.prefix.length)[0]
}
