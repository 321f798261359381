import { type Signal, signal } from '@preact/signals'
import type { Problem } from '../../../../runtime/errors.ts'
import { isJsonObject, type JsonObject } from '../../../../runtime/json/json.ts'
import { isSameJson } from '../../../../runtime/json/same-json.ts'
import { jsonMistake } from '../../../json/json-mistake.ts'
import type { CallHappening, ToolDetail } from '../../wire/tools.ts'
import { AskError, follow, post } from '../ask.ts'
import { initialValue } from '../form/initial-value.ts'

/** A run of a Call: what happened so far. */
export interface CallRun {
  readonly happenings: readonly CallHappening[]
  readonly isRunning: boolean
  /** The studio itself could not run it. */
  readonly failure?: string
}

/** A Call that ran before in this session. */
export interface EarlierCall {
  readonly parameters: JsonObject
  readonly status: string
  readonly at: number
}

const mostEarlier = 20

/** One Tool's Call while somebody works on it. The form and the editor are two views of its one value. */
export class CallState {
  readonly tool: ToolDetail
  readonly parameters: Signal<JsonObject>
  /** As it stands in the editor: between two keystrokes it need not be JSON. */
  readonly text: Signal<string>
  /** Why the text is not the parameters of a Call; the form then shows the last that were. */
  readonly textMistake: Signal<string | undefined> = signal(undefined)
  readonly problems: Signal<readonly Problem[]> = signal([])
  readonly checkFailure: Signal<string | undefined> = signal(undefined)
  readonly isAttempted: Signal<boolean> = signal(false)
  readonly contextText: Signal<string> = signal('[]')
  readonly run: Signal<CallRun | undefined> = signal(undefined)
  readonly earlier: Signal<readonly EarlierCall[]> = signal([])
  #asked = 0
  #stop: AbortController | undefined

  constructor(tool: ToolDetail) {
    this.tool = tool
    const [example] = tool.examples
    const start = example ?? initialValue(tool.form, tool.definitions)
    this.parameters = signal(isJsonObject(start) ? start : {})
    this.text = signal(pretty(this.parameters.value))
  }

  /** Takes what the form says. */
  setParameters(parameters: unknown): void {
    if (!isJsonObject(parameters)) return
    this.parameters.value = parameters
    this.text.value = pretty(parameters)
    this.textMistake.value = undefined
  }

  /** Takes what the editor says, as soon as it is the parameters of a Call. */
  setText(text: string): void {
    this.text.value = text
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      const mistake = jsonMistake(text)
      this.textMistake.value = mistake
        ? `Line ${mistake.line}, column ${mistake.column}: ${mistake.text}.`
        : 'This is not JSON.'
      return
    }
    if (!isJsonObject(value)) {
      this.textMistake.value = 'The parameters are an object: { "name": value }.'
      return
    }
    this.textMistake.value = undefined
    if (!isSameJson(value, this.parameters.value)) this.parameters.value = value
  }

  /** Asks the Tool's check about the parameters. An answer that was overtaken is dropped. */
  async check(): Promise<void> {
    const asked = ++this.#asked
    const parameters = this.parameters.value
    try {
      const path = `tools/${encodeURIComponent(this.tool.name)}/check`
      const { problems } = await post<{ problems: Problem[] }>(path, { parameters })
      if (asked !== this.#asked) return
      this.problems.value = problems
      this.checkFailure.value = undefined
    } catch (error) {
      if (asked === this.#asked) this.checkFailure.value = (error as Error).message
    }
  }

  /** Runs the Call, and shows what it comes to. */
  async start(): Promise<void> {
    this.isAttempted.value = true
    const context = this.#context()
    if (this.textMistake.value !== undefined || context === undefined || this.run.value?.isRunning) return
    const parameters = this.parameters.value
    const stop = new AbortController()
    this.#stop = stop
    let happenings: readonly CallHappening[] = []
    this.run.value = { happenings, isRunning: true }
    let failure: string | undefined
    try {
      const call = { ...parameters, _tool: this.tool.name }
      await follow(
        'calls',
        { call, context },
        (_, data) => {
          happenings = [...happenings, data as CallHappening]
          this.run.value = { happenings, isRunning: true }
        },
        stop.signal,
      )
    } catch (error) {
      failure = stop.signal.aborted ? 'Stopped.' : error instanceof AskError ? error.message : String(error)
    }
    this.run.value = { happenings, isRunning: false, ...(failure !== undefined && { failure }) }
    const end = happenings.find(({ event }) => event === 'end')?.data
    const status = isJsonObject(end) ? String(end.status) : 'stopped'
    const entry = { parameters, status, at: Date.now() }
    this.earlier.value = [entry, ...this.earlier.value].slice(0, mostEarlier)
  }

  stop(): void {
    this.#stop?.abort()
  }

  /** The Messages that References read; undefined while they are not a list. */
  get contextMistake(): string | undefined {
    try {
      return Array.isArray(JSON.parse(this.contextText.value))
        ? undefined
        : 'The context is a list of Messages.'
    } catch {
      return 'The context is not JSON.'
    }
  }

  #context(): unknown[] | undefined {
    if (this.contextMistake !== undefined) return undefined
    return JSON.parse(this.contextText.value) as unknown[]
  }
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

const states = new Map<string, CallState>()

/** The Call of a Tool, as it was left. */
export function callStateOf(tool: ToolDetail): CallState {
  const known = states.get(tool.name)
  if (known) return known
  const made = new CallState(tool)
  states.set(tool.name, made)
  return made
}
