/** An output folder, as the machine finds it and as people read it. */
export interface OutputFolder {
  readonly absolute: string
  /** Relative to the project folder, with forward slashes. */
  readonly shown: string
}
