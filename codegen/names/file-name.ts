import { providerSafeName } from '../../runtime/schema/tool-name.ts'

/** File names that Windows reserves for devices, with any extension: git cannot check them out there. */
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

/**
 * Returns the file name of a Tool, without extension. Cannot leave its folder: dots become `__`, and Tool names contain no
 * slashes. The prefix `tool.` cannot collide, since no other file name contains a dot.
 *
 * @example fileName('Text.bold') // 'Text__bold'
 * @example fileName('aux') // 'tool.aux'
 */
export function fileName(tool: string): string {
  const safe = providerSafeName(tool)
  return deviceName.test(safe) ? `tool.${safe}` : safe
}
