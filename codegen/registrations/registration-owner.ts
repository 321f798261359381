import { dirname, resolve } from 'node:path'
import { maskSource } from '../load/mask-source.ts'
import { specifierResolver } from '../load/resolve-specifier.ts'
import { isInside } from '../paths/is-inside.ts'
import { portablePath } from '../paths/portable-path.ts'
import { readIfPresent, realFileSystem, statIfPresent } from '../write/file-system.ts'
import { type ActivityOrigin, activityBindings } from './activity-bindings.ts'

/** The output folders of a project, as one of its sets sees them. */
export interface OutputFolders {
  /** Absolute path of the project folder. */
  readonly root: string
  /** The set's output folder, relative to the root, which exports its `Activity`. */
  readonly output: string
  /** The output folders of the project's other sets, relative to the root. */
  readonly otherOutputs: readonly string[]
}

/** Whether an `Activity` of a file, given by its absolute path, may be the one of a set. */
export type IsOwn = (file: string, origin: ActivityOrigin) => boolean

/**
 * Makes a test for the `Activity` of a set: false if it belongs to another set or to `createRegistry`, also where a file of the
 * project passes it on. What the texts do not tell counts as the set's.
 */
export function registrationOwner({ root, output, otherOutputs }: OutputFolders): IsOwn {
  const others = otherOutputs.map((folder) => resolve(root, folder))
  const outputs = [resolve(root, output), ...others]
  const isInOutput = (path: string): boolean => outputs.some((folder) => isInside(path, folder))
  const isSource = (path: string): boolean => statIfPresent(path)?.isFile() === true
  const resolveSource = specifierResolver(root, (file) => {
    const path = resolve(root, file)
    // The output of a first run is not there yet.
    return isInOutput(path) || isSource(path)
  })
  const known = new Map<string, boolean>()
  const isOwn: IsOwn = (file, origin) => {
    if (origin === 'createRegistry') return false
    if (origin === undefined) return true
    if (origin.startsWith('.') && isInOutput(resolve(dirname(file), origin))) {
      return !isOther(resolve(dirname(file), origin))
    }
    const source = resolveSource(origin, portablePath(root, file))
    return source === undefined || passesOwn(resolve(root, source))
  }
  const isOther = (path: string): boolean => others.some((folder) => isInside(path, folder))
  /** Whether the `Activity` that a file exports is the set's own. */
  const passesOwn = (path: string): boolean => {
    if (isInOutput(path)) return !isOther(path)
    const before = known.get(path)
    if (before !== undefined) return before
    // Holds for the files of a circle, until one of them tells more.
    known.set(path, true)
    const verdict = exportedOrigins(path).every((origin) => isOwn(path, origin))
    known.set(path, verdict)
    return verdict
  }
  return isOwn
}

const exported = /\bexport\s*\{[^{}]*\bActivity\b[^{}]*\}\s*from\s*['"]([^'"]+)['"]/g
const exportedAll = /\bexport\s*\*\s*from\s*['"]([^'"]+)['"]/g
/** A registry that is kept whole before its `Activity` is exported. */
const keptRegistry =
  /=\s*createRegistry\b[\s\S]*(?:=\s*[\w$]+\s*\.\s*Activity\b|\{[^{}]*\bActivity\b[^{}]*\}\s*=\s*[\w$]+\s*[;\n])/

/** Returns where the `Activity` that a file exports may come from, as far as its text tells. */
function exportedOrigins(path: string): ActivityOrigin[] {
  const text = readIfPresent(path, realFileSystem) ?? ''
  if (!/\bActivity\b|\bexport\s*\*/.test(text)) return []
  const code = maskSource(text, 'comments')
  const bound = activityBindings(code).find(({ name }) => name === 'Activity')
  if (bound?.origin !== undefined) return [bound.origin]
  if (keptRegistry.test(code)) return ['createRegistry']
  const named = [...code.matchAll(exported)].map(([, from]) => from)
  return named.length > 0 ? named : [...code.matchAll(exportedAll)].map(([, from]) => from)
}
