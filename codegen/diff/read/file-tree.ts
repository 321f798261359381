/** The files of an earlier state, from any storage. Never runs them. */
export interface FileTree {
  /** Its name in messages: `origin/main`, `../old`. */
  readonly name: string
  /** Paths of all files, relative to the project folder, with forward slashes, sorted. */
  readonly paths: readonly string[]
  /** Reads the texts of some files. Missing files are left out. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, string>>
}
