import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compilerFolder } from './compile.mjs'

/** The language server that editors run, of TypeScript 5.9, with one file open. */
export class LanguageServer {
  #process
  #file
  #lines
  #text = ''
  #sequence = 0
  #waiting = new Map()

  constructor(file) {
    this.#file = file
    this.#lines = readFileSync(file, 'utf8').split('\n')
    this.#process = spawn(
      process.execPath,
      [
        '--max-old-space-size=8192',
        join(compilerFolder('5.9'), 'lib/tsserver.js'),
        '--disableAutomaticTypingAcquisition',
      ],
      { stdio: ['pipe', 'pipe', 'ignore'] },
    )
    this.#process.stdout.setEncoding('utf8').on('data', (text) => this.#read(text))
    this.#send('open', { file })
  }

  /** Milliseconds from asking for completions to having them, and their names. */
  async complete(marker) {
    const line = this.#lines.findIndex((each) => each.includes(marker))
    const offset = this.#lines[line].indexOf(marker) + marker.length + 1
    const start = performance.now()
    const { body } = await this.#ask('completionInfo', { file: this.#file, line: line + 1, offset })
    return { milliseconds: performance.now() - start, names: (body?.entries ?? []).map(({ name }) => name) }
  }

  /** Types a character at the end of the file, so that what was computed is out of date. */
  edit() {
    const line = this.#lines.length
    const offset = this.#lines.at(-1).length + 1
    this.#lines[line - 1] += ' '
    this.#send('change', {
      file: this.#file,
      line,
      offset,
      endLine: line,
      endOffset: offset,
      insertString: ' ',
    })
  }

  /** Milliseconds of the processors that it has used; undefined where the system does not tell. */
  processorTime() {
    try {
      const fields = readFileSync(`/proc/${this.#process.pid}/stat`, 'utf8').split(') ')[1].split(' ')
      // Ticks of a hundredth of a second, in programs and in the system.
      return (Number(fields[11]) + Number(fields[12])) * 10
    } catch {
      return undefined
    }
  }

  close() {
    this.#process.kill()
  }

  #send(command, given) {
    this.#process.stdin.write(
      `${JSON.stringify({ seq: ++this.#sequence, type: 'request', command, arguments: given })}\n`,
    )
    return this.#sequence
  }

  #ask(command, given) {
    const sequence = this.#send(command, given)
    return new Promise((resolve) => this.#waiting.set(sequence, resolve))
  }

  /** Each message is a line of JSON, between headers. */
  #read(text) {
    this.#text += text
    const lines = this.#text.split('\n')
    this.#text = lines.pop()
    for (const line of lines) {
      if (!line.startsWith('{')) continue
      const message = JSON.parse(line)
      this.#waiting.get(message.request_seq)?.(message)
      this.#waiting.delete(message.request_seq)
    }
  }
}
