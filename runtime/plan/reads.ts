import type { Call } from '../context/message.ts'
import { type Expression, parseExpression } from '../context/reference.ts'
import { isJsonObject } from '../json/json.ts'
import { maximumDepth } from '../json/json-copy.ts'
import { pointerSegment } from '../json/json-pointer.ts'

/** Returns true if a property of a Call is a parameter of its Tool, so that it may contain References. */
export type IsParameter = (call: Call, name: string) => boolean

/** A Reference in a Call's parameters. */
export interface Read {
  readonly expression: Expression
  /** The Reference as it is written in the Call. */
  readonly text: string
  /** JSON pointer into the Call. */
  readonly pointer: string
}

/** Tells parameters by name, if the Tool's schema is unknown: those that do not start with an underscore. */
export const withoutUnderscore: IsParameter = (_call, name) => !name.startsWith('_')

/** Finds the References in a Call's parameters, at any depth. */
export function readsOf(call: Call, isParameter: IsParameter): Read[] {
  const found: Read[] = []
  const visit = (value: unknown, pointer: string, depth: number): void => {
    if (depth > maximumDepth) return
    if (typeof value === 'string') {
      const expression = value.startsWith('†') && !value.startsWith('††') ? parseExpression(value) : null
      // Skips reserved words, which are not data: running the Call reports them.
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
    // Most parameters are plain values: skip them before building a pointer.
    const mayRefer = typeof value === 'string' ? value.startsWith('†') : typeof value === 'object'
    if (mayRefer && isParameter(call, name)) visit(value, `/${pointerSegment(name)}`, 0)
  }
  return found
}
