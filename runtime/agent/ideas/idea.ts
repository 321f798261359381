import type { Message } from '../../context/message.ts'
import type { JsonObject } from '../../json/json.ts'
import { copyJson } from '../../json/json-copy.ts'
import { plainGoal } from '../../schema/plain-goal.ts'
import type { JsonSchema, Schema } from '../../schema/schema.ts'
import type { IdeaData } from '../../tools/idea-data.ts'
import { inputOf } from '../../tools/idea-tool.ts'
import { loadJson, saveJson } from './json-file.ts'
import { requireIdea } from './require-idea.ts'
import { requireSolution } from './require-solution.ts'

/** What an Idea is made of: as {@link IdeaData}, with a schema of TypeBox's as well as a plain one. */
export interface IdeaOptions extends Omit<IdeaData, 'schema'> {
  /** The schema to answer in, TypeBox's or plain. It is kept as plain JSON Schema. */
  readonly schema: JsonSchema | object
}

/**
 * A stored Request: the schema to answer in, the context to look at, and the solution where there is one (REQ-11).
 * Readable JSON on disk. With an `input` Message in its context it is callable: `Tool.fromIdea(name, idea)`.
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
   * @throws CallsheetError `invalid_options` or `invalid_message` for data that is not an Idea; `unsupported_schema` for a
   * schema that is not JSON; `answer_invalid` for a solution that breaks the schema.
   */
  constructor(data: IdeaOptions) {
    requireIdea(data, 'This')
    // Anything but an object has been refused by now.
    this.schema = copyJson(plainGoal(data.schema, 'the Idea') as JsonSchema, true)
    this.context = copyJson(data.context, true)
    if (data.solution === undefined) return
    this.solution = copyJson(data.solution, true)
    // A Vessel records what a model answered, bad arguments of a Call included; replaying it says what is wrong.
    if (new.target !== Idea) return
    requireSolution(this.solution, this.schema, "The Idea's")
  }

  /**
   * Reads an Idea from a file; a Vessel's file is one too (REQ-11a).
   *
   * @throws CallsheetError `malformed_json`, `invalid_options`, `invalid_message`; the system's error for a file that
   * cannot be read.
   */
  static async load(path: string | URL): Promise<Idea> {
    return new Idea((await loadJson(path)) as IdeaData)
  }

  /** The schema of the input that makes it callable; undefined for an Idea that takes none. */
  get input(): Schema | undefined {
    return inputOf(this)?.schema as Schema | undefined
  }

  /** Writes it as readable JSON, folders included. */
  async save(path: string | URL): Promise<void> {
    await saveJson(path, this.toJSON())
  }

  toJSON(): JsonObject {
    const { schema, context, solution } = this
    return { schema, context, ...(solution !== undefined && { solution }) }
  }
}
