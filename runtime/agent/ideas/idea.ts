import type { Message } from '../../context/message.ts'
import type { JsonObject } from '../../json/json.ts'
import { copyJson } from '../../json/json-copy.ts'
import { jsonCopyOf, plainGoal } from '../../schema/plain-goal.ts'
import type { JsonSchema, Schema } from '../../schema/schema.ts'
import type { IdeaData, IdeaOptions } from '../../tools/idea-data.ts'
import { inputOf } from '../../tools/idea-tool.ts'
import { loadJson, saveJson } from './json-file.ts'
import { requireIdea } from './require-idea.ts'
import { requireSolution } from './require-solution.ts'

/**
 * A stored Request: the schema of the answer, the context, and the solution if there is one (REQ-11). Readable JSON on
 * disk. With an `input` Message in its context it is callable: `Tool.fromIdea(name, idea)`.
 *
 * @example
 * const idea = new Idea({
 *   schema: { type: 'object', properties: { summary: { type: 'string' } }, required: ['summary'] },
 *   context: [
 *     { type: 'text', role: 'system', text: 'Summarise the input in one sentence.' },
 *     { type: 'input', input: { text: '' }, schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } },
 *   ],
 * })
 * await idea.save('ideas/summary.json')
 * Tool.fromIdea('summarise', await Idea.load('ideas/summary.json'))
 */
export class Idea implements IdeaData {
  readonly schema: JsonSchema
  readonly context: readonly Message[]
  readonly solution?: unknown

  /**
   * @throws CallsheetError `invalid_options` or `invalid_message` for data that is not an Idea; `unsupported_schema`
   * for a schema that is not JSON; `answer_invalid` for a solution that breaks the schema.
   */
  constructor(data: IdeaOptions) {
    requireIdea(data, 'The given value')
    // Safe cast: requireIdea has refused everything but an object.
    this.schema = copyJson(plainGoal(data.schema, 'the Idea') as JsonSchema, true)
    this.context = copyJson(data.context, true)
    for (const [index, message] of data.context.entries()) {
      // The copy of a library's schema would no longer tell what it was, and has lost what that checks.
      jsonCopyOf(message, `Message ${index} of the Idea`)
    }
    if (data.solution === undefined) return
    this.solution = copyJson(data.solution, true)
    // A Vessel records a model's answer, even one with invalid arguments; `replay` reports those.
    if (new.target !== Idea) return
    requireSolution(this.solution, this.schema, "The Idea's")
  }

  /**
   * Reads an Idea from a file; a file of a Vessel works as well (REQ-11a).
   *
   * @throws CallsheetError `malformed_json`, `invalid_options`, `invalid_message`; the system's error for a file that
   * cannot be read.
   */
  static async load(path: string | URL): Promise<Idea> {
    return new Idea((await loadJson(path)) as IdeaData)
  }

  /** The schema of the input that makes the Idea callable; undefined if it takes no input. */
  get input(): Schema | undefined {
    return inputOf(this)?.schema as Schema | undefined
  }

  /** Writes the Idea as readable JSON. Creates missing folders. */
  async save(path: string | URL): Promise<void> {
    await saveJson(path, this.toJSON())
  }

  toJSON(): JsonObject {
    const { schema, context, solution } = this
    return { schema, context, ...(solution !== undefined && { solution }) }
  }
}
