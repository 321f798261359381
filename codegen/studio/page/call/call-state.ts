import { type Signal, signal } from '@preact/signals'
import type { Problem } from '../../../../runtime/errors.ts'
import { isJsonObject, type JsonObject } from '../../../../runtime/json/json.ts'
import { isSameJson } from '../../../../runtime/json/same-json.ts'
import { jsonMistake } from '../../../json/json-mistake.ts'
import type { CallHappening, ToolDetail } from '../../wire/tools.ts'
import { AskError, follow, post } from '../ask.ts'
import { initialValue } from '../form/initial-value.ts'

/** A run of a Call with its events so far. */
export interface CallRun {
  /** The newest ones; of the others only their number. */
  readonly happenings: readonly CallHappening[]
  readonly count: number
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
const mostHappenings = 200

/** The Call of a Tool that is being edited. The form and the editor are two views of one value. */
export class CallState {
  readonly tool: ToolDetail
  readonly parameters: Signal<JsonObject>
  /** The text in the editor, which may be invalid JSON while typing. */
  readonly text: Signal<string>
  /** Why the text is invalid as parameters; the form then shows the last valid ones. */
  readonly textMistake: Signal<string | undefined> = signal(undefined)
  readonly problems: Signal<readonly Problem[]> = signal([])
  /** False until the first answer of the check. */
  readonly isChecked: Signal<boolean> = signal(false)
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

  /** Takes the value of the form. */
  setParameters(parameters: unknown): void {
    if (!isJsonObject(parameters)) return
    this.parameters.value = parameters
    this.text.value = pretty(parameters)
    this.textMistake.value = undefined
  }

  /** Takes the text of the editor, and its value if that is valid as parameters. */
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
      this.textMistake.value = 'The parameters must be an object: { "name": value }.'
      return
    }
    this.textMistake.value = undefined
    if (!isSameJson(value, this.parameters.value)) this.parameters.value = value
  }

  /** Validates the parameters by the Tool's check. Drops outdated responses. */
  async check(): Promise<void> {
    const asked = ++this.#asked
    const parameters = this.parameters.value
    try {
      const path = `tools/${encodeURIComponent(this.tool.name)}/check`
      const { problems } = await post<{ problems: Problem[] }>(path, { parameters })
      if (asked !== this.#asked) return
      this.problems.value = problems
      this.isChecked.value = true
      this.checkFailure.value = undefined
    } catch (error) {
      if (asked === this.#asked) this.checkFailure.value = (error as Error).message
    }
  }

  /** Runs the Call and shows its result. */
  async start(): Promise<void> {
    this.isAttempted.value = true
    const context = this.#context()
    if (this.textMistake.value !== undefined || context === undefined || this.run.value?.isRunning) return
    const parameters = this.parameters.value
    const stop = new AbortController()
    this.#stop = stop
    let happenings: readonly CallHappening[] = []
    let count = 0
    this.run.value = { happenings, count, isRunning: true }
    let failure: string | undefined
    try {
      const call = { ...parameters, _tool: this.tool.name }
      await follow(
        'calls',
        { call, context },
        (_, data) => {
          happenings = [...happenings.slice(1 - mostHappenings), data as CallHappening]
          count++
          this.run.value = { happenings, count, isRunning: true }
        },
        stop.signal,
      )
    } catch (error) {
      failure = stop.signal.aborted ? 'Stopped.' : error instanceof AskError ? error.message : String(error)
    }
    this.run.value = { happenings, count, isRunning: false, ...(failure !== undefined && { failure }) }
    const end = happenings.find(({ event }) => event === 'end')?.data
    const status = isJsonObject(end) ? String(end.status) : 'stopped'
    const entry = { parameters, status, at: Date.now() }
    this.earlier.value = [entry, ...this.earlier.value].slice(0, mostEarlier)
  }

  stop(): void {
    this.#stop?.abort()
  }

  /** Why the context is invalid; undefined if it is an array of Messages. */
  get contextMistake(): string | undefined {
    try {
      return Array.isArray(JSON.parse(this.contextText.value))
        ? undefined
        : 'The context must be an array of Messages.'
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

/** Returns the edited Call of a Tool, in its last state. */
export function callStateOf(tool: ToolDetail): CallState {
  const known = states.get(tool.name)
  if (known) return known
  const made = new CallState(tool)
  states.set(tool.name, made)
  return made
}
