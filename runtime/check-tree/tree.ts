import type * as helpers from '../checks/check.ts'

/** The functions of `check.ts` that are steps with arguments: `helper(value, path, problems, ...arguments)`. */
export type Helper = {
  [Name in keyof typeof helpers]: (typeof helpers)[Name] extends (
    // biome-ignore lint/suspicious/noExplicitAny: each helper narrows its own value and arguments
    ...inputs: any[]
  ) => boolean
    ? Name
    : never
}[keyof typeof helpers]

/**
 * What must be called to check a value: a schema with all decisions made. Codegen prints it, the interpreter links it;
 * neither knows JSON Schema.
 */
export type CheckTree =
  /** `helper(value, path, problems, ...args)` */
  | { readonly op: 'call'; readonly helper: Helper | 'format'; readonly args: readonly Argument[] }
  /** Every part, in order; none: everything is valid. */
  | { readonly op: 'all'; readonly parts: readonly CheckTree[] }
  /** The part, for values of the type; others pass. */
  | { readonly op: 'when'; readonly type: Guard; readonly part: CheckTree }
  /** The part, for a property of the value. */
  | { readonly op: 'field'; readonly name: string; readonly missing: Missing; readonly part: CheckTree }
  /** The step of a shared definition. */
  | { readonly op: 'definition'; readonly name: string }

export type Guard = 'string' | 'number' | 'array' | 'object'

/** What happens when a property is not there: it passes, fails as such, or fails by what the part expects. */
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

/** Joins parts; the result has no `all` directly inside it. Runs for every schema, so it allocates little. */
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

/** True for the tree that accepts everything. */
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
