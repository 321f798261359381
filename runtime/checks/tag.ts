import { isJsonObject, own } from '../json/json.ts'
import type { Step } from './step.ts'

/** The property that tells shapes apart, and for each shape the values it may have; null: the shape does not fix it. */
export interface Tag {
  readonly name: string
  readonly values: readonly (readonly unknown[] | null)[]
}

/** The value of the tag; undefined for anything but an object. */
export function tagOf(value: unknown, name: string): unknown {
  return isJsonObject(value) ? own(value, name) : undefined
}

/** The shapes that the value names by its tag. */
export function namedShapes(value: unknown, steps: readonly Step[], { name, values }: Tag): Step[] {
  const found = tagOf(value, name)
  return steps.filter((_, index) => values[index]?.includes(found))
}

/** The shapes that do not fix the tag: the value may be one of them, whatever its tag. */
export function untaggedShapes(steps: readonly Step[], { values }: Tag): Step[] {
  return steps.filter((_, index) => !values[index])
}
