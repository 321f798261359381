import { resolve } from 'node:path'
import { compiledFolder } from '../load/compiler-options.ts'
import { isInside } from '../paths/is-inside.ts'
import { type SourceFiles, sourceFiles } from './source-files.ts'

/** The output folders of a project, as one of its sets sees them. */
export interface OutputFolders {
  /** Absolute path of the project folder. */
  readonly root: string
  /** The set's output folder, relative to the root, which exports its `Activity`. */
  readonly output: string
  /** The output folders of the project's other sets, relative to the root. */
  readonly otherOutputs: readonly string[]
}

/** The folders of one set of definitions that are searched for registrations. */
export interface RegistrationScope extends OutputFolders {
  /** Relative to the root; may be outside of it. */
  readonly activitiesFolder: string
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
    components: found.flatMap(({ components }) => components),
    folders: found.flatMap(({ folders }) => folders),
  }
}
