import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

interface Answer {
  readonly request_seq?: number
  readonly body?: {
    definitions?: { file: string; start: { line: number } }[]
    displayString?: string
    documentation?: unknown
  }
}

/** The server that editors run of an older TypeScript, with one file open. */
export class LanguageServer {
  readonly #server: ChildProcess
  readonly #file: string
  readonly #waiting = new Map<number, (answer: Answer) => void>()
  #text = ''
  #sequence = 0

  constructor(compiler: 'typescript-5.9' | 'typescript-6.0', file: string) {
    this.#file = file
    const folder = dirname(createRequire(import.meta.url).resolve(`${compiler}/package.json`))
    const command = [join(folder, 'lib/tsserver.js'), '--disableAutomaticTypingAcquisition']
    this.#server = spawn(process.execPath, command, { stdio: ['pipe', 'pipe', 'ignore'] })
    this.#server.stdout?.setEncoding('utf8').on('data', (text: string) => this.#read(text))
    this.#send('open', { file })
  }

  /** Where "go to definition" leads from the first letter of a text: `file:line`, relative to the file's folder. */
  async definitions(text: string): Promise<string[]> {
    const { body } = await this.#ask('definitionAndBoundSpan', text)
    const folder = dirname(this.#file)
    return (body?.definitions ?? []).map(({ file, start }) => `${relative(folder, file)}:${start.line}`)
  }

  /** What is shown of the first letter of a text: its type and its description. */
  async hover(text: string): Promise<string> {
    const { body } = await this.#ask('quickinfo', text)
    return `${body?.displayString}\n${JSON.stringify(body?.documentation)}`
  }

  close(): void {
    this.#server.kill()
  }

  #ask(command: string, text: string): Promise<Answer> {
    const before = readFileSync(this.#file, 'utf8').split(text)[0] ?? ''
    const lines = before.split('\n')
    const sequence = this.#send(command, {
      file: this.#file,
      line: lines.length,
      offset: (lines.at(-1) ?? '').length + 1,
    })
    return new Promise((resolve) => this.#waiting.set(sequence, resolve))
  }

  #send(command: string, given: object): number {
    this.#sequence++
    const message = { seq: this.#sequence, type: 'request', command, arguments: given }
    this.#server.stdin?.write(`${JSON.stringify(message)}\n`)
    return this.#sequence
  }

  /** Each message is a line of JSON, between headers. */
  #read(text: string): void {
    const lines = (this.#text + text).split('\n')
    this.#text = lines.pop() ?? ''
    for (const line of lines) {
      if (!line.startsWith('{')) continue
      const answer = JSON.parse(line) as Answer
      this.#waiting.get(answer.request_seq ?? -1)?.(answer)
    }
  }
}
