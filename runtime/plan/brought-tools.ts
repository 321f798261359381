import type { Message } from '../context/message.ts'
import { isCallsheetError } from '../errors.ts'
import { isJsonObject } from '../json/json.ts'
import { declaredToolName } from '../schema/declared-tool-name.ts'
import { plainToolSchema } from '../schema/plain-schema.ts'
import type { ToolSchema } from '../schema/schema.ts'
import { isToolName } from '../schema/tool-name.ts'

/**
 * Finds the schemas of Tools that a context brings in its Messages, of one name the newest. What cannot be a Tool is none:
 * a Call of it says so.
 *
 * @param messages May grow at its end.
 */
export function broughtTools(messages: readonly Message[]): (name: string) => ToolSchema | undefined {
  const brought = new Map<string, ToolSchema>()
  let looked = 0
  return (name) => {
    for (; looked < messages.length; looked++) {
      const tool = toolIn(messages[looked])
      if (tool) brought.set(...tool)
    }
    return brought.get(name)
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
