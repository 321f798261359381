/** Files of an earlier state, wherever they are kept. Nothing of them is ever run from here. */
export interface FileTree {
  /** How people know it: `origin/main`, `../old`. */
  readonly name: string
  /** Paths of all files, relative to the project folder, with forward slashes, sorted. */
  readonly paths: readonly string[]
  /** The texts of some of them; those that are not there are left out. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, string>>
}
