import type { Message } from '../context/message.ts'
import { isCallsheetError } from '../errors.ts'
import { isJsonObject } from '../json/json.ts'
import { declaredToolName } from '../schema/declared-tool-name.ts'
import { plainToolSchema } from '../schema/plain-schema.ts'
import type { ToolSchema } from '../schema/schema.ts'
import { isToolName } from '../schema/tool-name.ts'

/**
 * Returns a function that finds the schema of a Tool in `tool` Messages by name; of several, the newest. A malformed
 * Tool is ignored, so that a Call of it fails with `unknown_tool`.
 *
 * @param messages May be appended to later.
 */
export function toolsInMessages(messages: readonly Message[]): (name: string) => ToolSchema | undefined {
  const found = new Map<string, ToolSchema>()
  let next = 0
  return (name) => {
    for (; next < messages.length; next++) {
      const tool = toolIn(messages[next])
      if (tool) found.set(...tool)
    }
    return found.get(name)
  }
}

function toolIn(message: Message | undefined): [name: string, schema: ToolSchema] | undefined {
  if (message?.type !== 'tool' || !isJsonObject(message.tool)) return undefined
  const name = declaredToolName(message.tool)
  if (name === undefined || !isToolName(name)) return undefined
  try {
    return [name, plainToolSchema(name, message.tool)]
  } catch (error) {
    if (isCallsheetError(error)) return undefined
    throw error
  }
}
