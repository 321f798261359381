import type { Call, GivenCall } from '../../context/message.ts'
import { CallsheetError } from '../../errors.ts'
import { isJsonObject, type JsonObject, own } from '../../json/json.ts'
import type { IdeaData } from '../../tools/idea-data.ts'
import type { TokenUsage } from '../../tools/token-usage.ts'
import { Idea } from './idea.ts'
import { loadJson } from './json-file.ts'
import { requireSolution } from './require-solution.ts'
import type { Solution } from './solution.ts'

/** A solution as its composed schema describes it: without a requested output there is no `output`. */
export interface StoredSolution<Output = unknown, Calls extends GivenCall = Call> {
  readonly calls: readonly Calls[]
  readonly output?: Output | null
}

/** A Vessel as plain JSON. */
export interface VesselData<Output = unknown, Calls extends GivenCall = Call> extends IdeaData {
  readonly solution: StoredSolution<Output, Calls>
  readonly model?: string
  readonly usage?: TokenUsage
}

/**
 * The record of one Request that chose Calls: its schema, its context and the solution. Plain JSON; `replay` returns
 * the same choices without a model (REQ-11).
 *
 * @example
 * const { vessel } = await Request({ model, context, tools: Tool })
 * await vessel.save('runs/first.json')
 * const { calls } = (await Vessel.load('runs/first.json')).replay()
 * for (const call of calls) await Tool.run(call, { context })
 */
export class Vessel<Output = unknown, Calls extends GivenCall = Call> extends Idea {
  declare readonly solution: StoredSolution<Output, Calls>
  readonly model?: string
  readonly usage?: TokenUsage

  /** @throws CallsheetError `invalid_options` or `invalid_message` for data that is not a Vessel. */
  constructor(data: VesselData<Output, Calls>) {
    super(data)
    if (!isJsonObject(data.solution) || !Array.isArray(own(data.solution, 'calls'))) {
      throw new CallsheetError(
        'invalid_options',
        'Not a Vessel: `solution` with its list `calls` is missing. Load it as an Idea.',
      )
    }
    if (data.model !== undefined) this.model = data.model
    if (data.usage !== undefined) this.usage = data.usage
  }

  /** @throws CallsheetError `malformed_json`, `invalid_options`, `invalid_message`; the system's error. */
  static override async load(path: string | URL): Promise<Vessel> {
    return new Vessel((await loadJson(path)) as VesselData)
  }

  /**
   * Returns the recorded solution, without a model.
   *
   * @throws CallsheetError `answer_invalid` if the solution does not follow the schema, for example in an edited file.
   */
  replay(): Solution<Output, Calls> {
    requireSolution(this.solution, this.schema, "The Vessel's")
    return { output: null, ...this.solution }
  }

  override toJSON(): JsonObject {
    const { model, usage } = this
    return { ...super.toJSON(), ...(model !== undefined && { model }), ...(usage && { usage }) }
  }
}
