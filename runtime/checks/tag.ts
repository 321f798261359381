import { isJsonObject, own } from '../json/json.ts'
import type { Step } from './step.ts'

/** The property that distinguishes shapes, and the values that each shape allows; null if a shape does not fix it. */
export interface Tag {
  readonly name: string
  readonly values: readonly (readonly unknown[] | null)[]
}

/** Returns the value of the tag; undefined for a value that is not an object. */
export function tagOf(value: unknown, name: string): unknown {
  return isJsonObject(value) ? own(value, name) : undefined
}

/** Returns the shapes that allow the value's tag. */
export function namedShapes(value: unknown, steps: readonly Step[], { name, values }: Tag): Step[] {
  const found = tagOf(value, name)
  return steps.filter((_, index) => values[index]?.includes(found))
}

/** Returns the shapes that do not fix the tag, which a value with any tag may have. */
export function untaggedShapes(steps: readonly Step[], { values }: Tag): Step[] {
  return steps.filter((_, index) => !values[index])
}
