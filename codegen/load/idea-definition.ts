import { requireIdea } from '../../runtime/agent/ideas/require-idea.ts'
import { requireSolution } from '../../runtime/agent/ideas/require-solution.ts'
import { isDataMessage, messageKind } from '../../runtime/context/message.ts'
import { isCallsheetError } from '../../runtime/errors.ts'
import { isJsonObject } from '../../runtime/json/json.ts'
import { messageOf } from '../../runtime/problems/message-of.ts'
import type { ToolSchema } from '../../runtime/schema/schema.ts'
import type { IdeaData } from '../../runtime/tools/idea-data.ts'
import { ideaTool } from '../../runtime/tools/idea-tool.ts'

/** An Idea of a definitions folder, as a Tool. */
export interface ReadIdea {
  readonly idea: IdeaData
  readonly tool: ToolSchema
  /** Maps a part of the Tool's schema to its position in the Idea. */
  pointerOf(pointer: string): string
}

/** A reason why a value is not a callable Idea. */
export interface WrongIdea {
  readonly why: string
  readonly fix: string
  /** The position in the Idea. */
  readonly pointer: string
}

/** Reads an Idea and creates its Tool (REQ-11). Malformed data is reported, including a solution that breaks the schema. */
export function readIdea(name: string, value: unknown): ReadIdea | WrongIdea {
  const plain = plainIdea(value)
  try {
    requireIdea(plain, `"${name}"`)
    const { schema, context, solution } = plain
    if (solution !== undefined) requireSolution(solution, schema, 'Its')
    const idea: IdeaData = { schema, context, ...(solution !== undefined && { solution }) }
    const tool = ideaTool(name, idea)
    return { idea, tool, pointerOf: (pointer) => ideaPointer(pointer, idea) }
  } catch (error) {
    if (!isCallsheetError(error)) throw error
    const isSolution = error.code === 'answer_invalid'
    const [first] = error.problems ?? []
    return {
      why: error.message,
      fix: isSolution
        ? 'Correct the solution or the schema, or delete the solution.'
        : 'An Idea is { schema, context, solution? } with Messages as its context, in plain JSON.',
      pointer: isSolution ? `/solution${first?.path ?? ''}` : '',
    }
  }
}

/** Copies a value as JSON. Returns a value that is not JSON unchanged; it is refused later. */
function plainIdea(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value)) as unknown
  } catch (error) {
    // A cycle or a bigint, which the checks of the Idea report.
    return { notJson: messageOf(error) }
  }
}

/** Creates the Tool: `_output` is the Idea's schema, the rest is the schema of its input. */
function ideaPointer(pointer: string, { context }: IdeaData): string {
  const output = '/properties/_output'
  if (pointer === output || pointer.startsWith(`${output}/`)) return `/schema${pointer.slice(output.length)}`
  const at = context.findLastIndex((message) => isDataMessage(message) && messageKind(message) === 'input')
  const input = context[at]
  return isJsonObject(input) && isJsonObject(input.schema) ? `/context/${at}/schema${pointer}` : ''
}
