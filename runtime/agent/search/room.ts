import type { ComposableTool, ComposeOptions } from '../../compose/compose.ts'
import type { DialectName } from '../../dialects/dialect-name.ts'
import { isCallsheetError } from '../../errors.ts'
import { isTooMuch, lowerComposed } from '../../lower/lower-composed.ts'
import { lowerTools, type NativeApi } from '../../native/native-tools.ts'
import { requireSchemas } from '../request/offerable-tools.ts'

/** How Tools are sent, which determines how many fit. */
export interface RoomOptions {
  readonly api: NativeApi
  readonly dialect: DialectName
  readonly mode: 'auto' | 'composed' | 'native'
}

/**
 * Selects the found Tools that can be offered in addition to the first ones: those with a schema that the dialect can
 * express, up to its limits. Earlier finds take precedence, so that a later one never displaces them.
 */
export function takeFitting(
  first: readonly ComposableTool[],
  found: readonly ComposableTool[],
  room: RoomOptions | undefined,
  compose: ComposeOptions,
): ComposableTool[] {
  const hasRoom = (tools: readonly ComposableTool[]): boolean => !room || fits(tools, room, compose)
  const whole = [...first, ...found]
  if (found.length === 0 || hasRoom(whole)) return whole
  const alone = found.filter((tool) => hasRoom([tool]))
  // If some number does not fit, no larger one does: a binary search finds the limit.
  let [most, over] = [0, alone.length + 1]
  while (over - most > 1) {
    const count = (most + over) >> 1
    if (hasRoom([...first, ...alone.slice(0, count)])) most = count
    else over = count
  }
  return [...first, ...alone.slice(0, most)]
}

function fits(
  tools: readonly ComposableTool[],
  { api, dialect, mode }: RoomOptions,
  compose: ComposeOptions,
): boolean {
  try {
    // `auto` switches to native tools if one schema is too large, so their limits apply.
    const sent =
      mode === 'composed' ? lowerComposed(tools, dialect, compose).lowered : lowerTools(tools, api, compose)
    const hasRoom = sent.usage.every(({ limit, status }) => limit !== 'tools' || status !== 'over')
    return hasRoom && !isTooMuch(sent)
  } catch (thrown) {
    if (isCallsheetError(thrown) && thrown.code === 'unsupported_schema') return false
    if (!isCallsheetError(thrown)) tools.forEach(requireSchemas)
    throw thrown
  }
}
