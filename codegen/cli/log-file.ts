import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { messageOf } from '../../runtime/problems/message-of.ts'
import { GeneratorError } from '../generator-error.ts'

/**
 * A log file. Each line is written immediately, so that a killed process leaves a complete log. A failed write does not
 * throw after the first line: a full disk must not stop a server.
 */
export class LogFile {
  readonly #path: string
  readonly #name: string
  readonly #warn: (text: string) => void
  #hasBegun = false
  /** Number of failed lines since the last successful one. */
  #lost = 0

  /**
   * @param name The path as the user gave it.
   * @param warn Called once when writing begins to fail, and once when it works again.
   */
  constructor(path: string, name: string, warn: (text: string) => void) {
    this.#path = path
    this.#name = name
    this.#warn = warn
  }

  /** @throws GeneratorError `cannot_write` when not even the first line can be written. */
  add(line: string): void {
    try {
      if (!this.#hasBegun) mkdirSync(dirname(this.#path), { recursive: true })
      // A failed write may have left half a line.
      appendFileSync(this.#path, `${this.#lost > 0 ? '\n' : ''}${line}\n`)
    } catch (error) {
      if (!this.#hasBegun) throw this.#cannotBegin(error)
      this.#lost += 1
      if (this.#lost > 1) return
      const message = `--log ${this.#name} cannot be written: ${messageOf(error)}. Calls continue, but their lines are lost.\n`
      this.#warn(message)
      return
    }
    this.#hasBegun = true
    if (this.#lost > 0) this.#warn(`--log ${this.#name} can be written again; lost lines: ${this.#lost}.\n`)
    this.#lost = 0
  }

  #cannotBegin(error: unknown): GeneratorError {
    const fault = {
      message: `--log ${this.#name} cannot be written: ${messageOf(error)}.`,
      fix: 'Name another file, or free disk space. Missing folders are created.',
    }
    return new GeneratorError('cannot_write', [fault], error)
  }
}
