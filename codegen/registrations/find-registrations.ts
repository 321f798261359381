import { dirname, resolve } from 'node:path'
import { compiledFolder } from '../load/compiler-options.ts'
import type { SourcePosition } from '../model.ts'
import { isInside } from '../paths/is-inside.ts'
import { portablePath } from '../paths/portable-path.ts'
import { readIfPresent, realFileSystem } from '../write/file-system.ts'
import type { ActivityOrigin } from './activity-bindings.ts'
import { type Registration, registrationsIn } from './registrations-in.ts'
import { type SourceFiles, sourceFiles } from './source-files.ts'

/** The folders of one set of definitions that are searched for registrations. */
export interface RegistrationScope {
  /** Absolute path of the project folder. */
  readonly root: string
  /** The set's output folder, relative to the root, which exports its `Activity`. */
  readonly output: string
  /** The output folders of the project's other sets, relative to the root. */
  readonly otherOutputs: readonly string[]
  /** Relative to the root; may be outside of it. */
  readonly activitiesFolder: string
}

/** The Activities that a project registers, and the searched folders. */
export interface FoundRegistrations {
  /** Sorted by file and position. */
  readonly registrations: readonly Registration[]
  /** Positions of registrations with computed names, in the same order. */
  readonly computed: readonly SourcePosition[]
  /** Absolute paths of the folders that were searched. */
  readonly folders: readonly string[]
}

/** Finds the Activities that a project registers for one set (ACT-3b), anywhere in its sources except tests. */
export function findRegistrations(scope: RegistrationScope): FoundRegistrations {
  const { files, folders } = searchedSources(scope)
  const found = files.flatMap((file) => {
    // A file can be deleted between listing and reading.
    const text = readIfPresent(file, realFileSystem) ?? ''
    const { registrations, computed } = registrationsIn(text, portablePath(scope.root, file))
    const isOwn = ({ origin }: { readonly origin: ActivityOrigin }): boolean =>
      registersFor(scope, file, origin)
    return {
      registrations: registrations.filter(isOwn),
      // If `Activity` is a parameter, computed names are intended: they come from the caller.
      computed: computed.filter((each) => each.origin !== undefined && isOwn(each)),
    }
  })
  return {
    registrations: found.flatMap(({ registrations }) => registrations),
    computed: found.flatMap(({ computed }) => computed.map(({ at }) => at)),
    folders,
  }
}

/** Lists the sources to search: those of the project, and of an activities folder outside of it. */
export function searchedSources({
  root,
  output,
  otherOutputs,
  activitiesFolder,
}: RegistrationScope): SourceFiles {
  const outputs = new Set([output, ...otherOutputs].map((folder) => resolve(root, folder)))
  const activities = resolve(root, activitiesFolder)
  const compiled = compiledFolder(root)
  if (compiled !== undefined && !isInside(activities, compiled)) outputs.add(compiled)
  const places = isInside(activities, root) ? [root] : [root, activities]
  const found = places.map((place) => sourceFiles(place, outputs))
  return {
    files: found.flatMap(({ files }) => files),
    folders: found.flatMap(({ folders }) => folders),
  }
}

/** Whether an `Activity` of a file may be this set's: false if it belongs to another set or to `createRegistry`. */
export function registersFor(
  { root, otherOutputs }: RegistrationScope,
  file: string,
  origin: ActivityOrigin,
): boolean {
  if (origin === 'createRegistry') return false
  if (origin === undefined || !origin.startsWith('.')) return true
  const target = resolve(dirname(file), origin)
  return !otherOutputs.some((folder) => isInside(target, resolve(root, folder)))
}
