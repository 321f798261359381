import { resolve } from 'node:path'
import { compiledFolder } from '../load/compiler-options.ts'
import type { SourcePosition } from '../model.ts'
import { isInside } from '../paths/is-inside.ts'
import { portablePath } from '../paths/portable-path.ts'
import { readIfPresent, realFileSystem } from '../write/file-system.ts'
import type { ActivityOrigin } from './activity-bindings.ts'
import { type OutputFolders, registrationOwner } from './registration-owner.ts'
import { type Registration, registrationsIn } from './registrations-in.ts'
import { type SourceFiles, sourceFiles } from './source-files.ts'

/** The folders of one set of definitions that are searched for registrations. */
export interface RegistrationScope extends OutputFolders {
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
  const owner = registrationOwner(scope)
  const found = files.flatMap((file) => {
    // A file can be deleted between listing and reading.
    const text = readIfPresent(file, realFileSystem) ?? ''
    const { registrations, computed } = registrationsIn(text, portablePath(scope.root, file))
    const isOwn = ({ origin }: { readonly origin: ActivityOrigin }): boolean => owner(file, origin)
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
