import { portablePath } from '../paths/portable-path.ts'
import { readIfPresent, realFileSystem } from '../write/file-system.ts'
import { readSource, type SourceReading } from './read-source.ts'

/** The sources of a project, each read and parsed when it is asked for, once. */
export class SourceReadings {
  readonly #root: string
  readonly #texts = new Map<string, string>()
  readonly #readings = new Map<string, SourceReading>()

  constructor(root: string) {
    this.#root = root
  }

  /** Returns the text of a file, by its absolute path. */
  text(file: string): string {
    const known = this.#texts.get(file)
    if (known !== undefined) return known
    // A file can be deleted between listing and reading.
    const text = readIfPresent(file, realFileSystem) ?? ''
    this.#texts.set(file, text)
    return text
  }

  of(file: string): SourceReading {
    const known = this.#readings.get(file)
    if (known) return known
    const reading = readSource(this.text(file), portablePath(this.#root, file))
    this.#readings.set(file, reading)
    return reading
  }
}
