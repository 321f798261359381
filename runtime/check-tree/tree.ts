import type * as helpers from '../checks/check.ts'

/** The functions of `check.ts` that can be steps: `helper(value, path, problems, ...arguments)`. */
export type Helper = {
  [Name in keyof typeof helpers]: (typeof helpers)[Name] extends (
    // biome-ignore lint/suspicious/noExplicitAny: each helper narrows its own value and arguments
    ...inputs: any[]
  ) => boolean
    ? Name
    : never
}[keyof typeof helpers]

/**
 * A check tree: the functions to call to validate a value, with all decisions about the schema already made. The generator prints
 * it, the interpreter links it; neither needs to know JSON Schema.
 */
export type CheckTree =
  /** `helper(value, path, problems, ...args)` */
  | { readonly op: 'call'; readonly helper: Helper | 'format'; readonly args: readonly Argument[] }
  /** All parts must hold, in order; without parts, every value is valid. */
  | { readonly op: 'all'; readonly parts: readonly CheckTree[] }
  /** Applies the part to values of the type; others pass. */
  | { readonly op: 'when'; readonly type: Guard; readonly part: CheckTree }
  /** Applies the part to a property of the value. */
  | { readonly op: 'field'; readonly name: string; readonly missing: Missing; readonly part: CheckTree }
  /** Applies a shared definition. */
  | { readonly op: 'definition'; readonly name: string }

export type Guard = 'string' | 'number' | 'array' | 'object'

/** How a missing property is handled: it passes, fails as missing, or fails with the part's own message. */
export type Missing = 'pass' | 'fail' | 'part'

/** An argument of a helper, from most to least common. */
export type Argument =
  | { readonly literal: unknown }
  | { readonly step: CheckTree }
  | { readonly list: readonly Argument[] }

export const valid: CheckTree = { op: 'all', parts: [] }

export function call(helper: Helper | 'format', ...args: Argument[]): CheckTree {
  return { op: 'call', helper, args: withoutTrailing(args) }
}

/** Joins parts and flattens nested `all`s. Runs for every schema, so it allocates little. */
export function all(parts: readonly CheckTree[]): CheckTree {
  const [only] = parts
  if (only === undefined) return valid
  if (parts.length === 1) return only
  if (!parts.some((part) => part.op === 'all')) return { op: 'all', parts }
  return all(parts.flatMap((part) => (part.op === 'all' ? part.parts : [part])))
}

export function when(type: Guard, part: CheckTree): CheckTree {
  return isValid(part) ? valid : { op: 'when', type, part }
}

/** True for the tree that accepts every value. */
export function isValid(tree: CheckTree): boolean {
  return tree.op === 'all' && tree.parts.length === 0
}

export function literal(value: unknown): Argument {
  return { literal: value }
}

export function steps(trees: readonly CheckTree[]): Argument {
  return { list: trees.map((step) => ({ step })) }
}

function withoutTrailing(args: Argument[]): Argument[] {
  let length = args.length
  for (; length > 0; length--) {
    const last = args[length - 1]
    if (last && !('literal' in last && last.literal === undefined)) break
  }
  return length === args.length ? args : args.slice(0, length)
}
