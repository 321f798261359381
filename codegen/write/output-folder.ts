/** The paths of an output folder: absolute, and for messages. */
export interface OutputFolder {
  readonly absolute: string
  /** Relative to the project folder, with forward slashes. */
  readonly shown: string
}
