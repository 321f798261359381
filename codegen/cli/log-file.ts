import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { messageOf } from '../../runtime/problems/message-of.ts'
import { GeneratorError } from '../generator-error.ts'

/**
 * A file that lines are added to, each at once: a process that is killed has still said what it did. What it tells of goes on where the
 * machine refuses a line, since a full disk must not stop a server.
 */
export class LogFile {
  readonly #path: string
  readonly #name: string
  readonly #tell: (text: string) => void
  #hasBegun = false
  /** Lines that were refused since the last one that was written. */
  #lost = 0

  /**
   * @param name The path as the user gave it.
   * @param tell Told once when lines begin to be lost, and once when they are written again.
   */
  constructor(path: string, name: string, tell: (text: string) => void) {
    this.#path = path
    this.#name = name
    this.#tell = tell
  }

  /** @throws GeneratorError `cannot_write` when not even the first line can be written. */
  add(line: string): void {
    try {
      if (!this.#hasBegun) mkdirSync(dirname(this.#path), { recursive: true })
      // What was refused may have left the half of a line.
      appendFileSync(this.#path, `${this.#lost > 0 ? '\n' : ''}${line}\n`)
    } catch (error) {
      if (!this.#hasBegun) throw this.#cannotBegin(error)
      this.#lost += 1
      if (this.#lost > 1) return
      const message = `--log ${this.#name} cannot be written: ${messageOf(error)}. Calls go on, and their lines are lost.\n`
      this.#tell(message)
      return
    }
    this.#hasBegun = true
    if (this.#lost > 0)
      this.#tell(`--log ${this.#name} is written again; lines that are lost: ${this.#lost}.\n`)
    this.#lost = 0
  }

  #cannotBegin(error: unknown): GeneratorError {
    const fault = {
      message: `--log ${this.#name} cannot be written: ${messageOf(error)}.`,
      fix: 'Name another file, or make room on its disk; folders on the way to it are made.',
    }
    return new GeneratorError('cannot_write', [fault], error)
  }
}
