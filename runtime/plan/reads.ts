import type { Call } from '../context/message.ts'
import { type Expression, parseExpression } from '../context/reference.ts'
import { isJsonObject } from '../json/json.ts'
import { maximumDepth } from '../json/json-copy.ts'
import { pointerSegment } from '../json/json-pointer.ts'

/** Whether a property of a Call is a parameter of its Tool, and so may hold References. */
export type IsParameter = (call: Call, name: string) => boolean

/** A Reference in a Call's parameters. */
export interface Read {
  readonly expression: Expression
  readonly text: string
  /** JSON pointer into the Call. */
  readonly pointer: string
}

/** Without the Tool's schema: what has no underscore. */
export const withoutUnderscore: IsParameter = (_call, name) => !name.startsWith('_')

/** The References in a Call's parameters, at any depth. */
export function readsOf(call: Call, isParameter: IsParameter): Read[] {
  const found: Read[] = []
  const visit = (value: unknown, pointer: string, depth: number): void => {
    if (depth > maximumDepth) return
    if (typeof value === 'string') {
      const expression = value.startsWith('†') && !value.startsWith('††') ? parseExpression(value) : null
      // What names a reserved word is not data: running the Call says so.
      if (expression?.daggers && expression.reserved === undefined) {
        found.push({ expression, text: value, pointer })
      }
    } else if (Array.isArray(value) || isJsonObject(value)) {
      for (const [key, item] of Object.entries(value)) {
        visit(item, `${pointer}/${pointerSegment(key)}`, depth + 1)
      }
    }
  }
  for (const name of Object.keys(call)) {
    const value = call[name]
    // Most parameters are plain values: no place has to be spelled for them.
    const mayRefer = typeof value === 'string' ? value.startsWith('†') : typeof value === 'object'
    if (mayRefer && isParameter(call, name)) visit(value, `/${pointerSegment(name)}`, 0)
  }
  return found
}
