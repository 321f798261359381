import { requireIdea } from '../../runtime/agent/ideas/require-idea.ts'
import { requireSolution } from '../../runtime/agent/ideas/require-solution.ts'
import { isDataMessage, messageKind } from '../../runtime/context/message.ts'
import { isCallsheetError } from '../../runtime/errors.ts'
import { isJsonObject } from '../../runtime/json/json.ts'
import { messageOf } from '../../runtime/problems/message-of.ts'
import { ended } from '../../runtime/problems/problem.ts'
import { jsonOfSchema } from '../../runtime/schema/json-of-schema.ts'
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
  let plain: unknown
  try {
    // A schema of a validation library would lose all but its type: it is refused, as in the properties of a Tool.
    // Wrapped, since an Idea is no schema itself.
    plain = JSON.parse(JSON.stringify({ value }, jsonOfSchema)).value
  } catch (error) {
    return { why: `it is not JSON: ${ended(messageOf(error))}`, fix: inJson, pointer: '' }
  }
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
      fix: isSolution ? 'Correct the solution or the schema, or delete the solution.' : inJson,
      pointer: isSolution ? `/solution${first?.path ?? ''}` : '',
    }
  }
}

const inJson = 'An Idea is { schema, context, solution? } with Messages as its context, in plain JSON.'

/** Creates the Tool: `_output` is the Idea's schema, the rest is the schema of its input. */
function ideaPointer(pointer: string, { context }: IdeaData): string {
  const output = '/properties/_output'
  if (pointer === output || pointer.startsWith(`${output}/`)) return `/schema${pointer.slice(output.length)}`
  const at = context.findLastIndex((message) => isDataMessage(message) && messageKind(message) === 'input')
  const input = context[at]
  return isJsonObject(input) && isJsonObject(input.schema) ? `/context/${at}/schema${pointer}` : ''
}
