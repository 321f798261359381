import { pointerSegment } from './json-pointer.ts'
import { unescapeSegment } from './pointer-names.ts'

const start = '#/$defs/'

/** Returns the name of the definition that `#/$defs/Name` refers to; undefined for any other kind of reference. */
export function definitionName(ref: unknown): string | undefined {
  if (typeof ref !== 'string' || !ref.startsWith(start)) return undefined
  const segment = ref.slice(start.length)
  return segment.includes('/') ? undefined : unescapeSegment(segment)
}

/** Returns the reference to a definition: `#/$defs/Name`. */
export function definitionRef(name: string): string {
  return start + pointerSegment(name)
}
