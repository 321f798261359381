import type { Context, ContextLike } from './context.ts'

/** The Context that was given, to append to; undefined for an array or nothing. */
export function asContext(context: ContextLike | undefined): Context | undefined {
  return context !== undefined && 'append' in context ? context : undefined
}
