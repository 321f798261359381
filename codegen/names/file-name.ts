import { providerSafeName } from '../../runtime/schema/tool-name.ts'

/** File names that Windows keeps for devices, whatever their extension: git checks out none of them there. */
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

/**
 * The name of a file of its own for a Tool, without its extension. Never leads out of its folder, since dots become `__` and slashes are no
 * part of names; and as no other Tool's has a dot, one with a word and a dot in front meets none.
 *
 * @example fileName('Text.bold') // 'Text__bold'
 * @example fileName('aux') // 'tool.aux'
 */
export function fileName(tool: string): string {
  const safe = providerSafeName(tool)
  return deviceName.test(safe) ? `tool.${safe}` : safe
}
