import type { Effects, ToolSchema } from './schema.ts'

/** What a list of Tools tells of one, beside its name. */
export interface ToolLabel {
  readonly title?: string
  readonly description?: string
  readonly effects?: Effects
  readonly deprecated?: boolean
}

/** Reads it off the Tool's schema. What is not of the type that it should be is left out. */
export function toolLabel({ title, description, effects, deprecated }: ToolSchema): ToolLabel {
  return {
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    ...(effects && { effects }),
    ...(deprecated === true && { deprecated }),
  }
}
