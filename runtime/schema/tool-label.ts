import type { Effects, ToolSchema } from './schema.ts'

/** What a list of Tools shows about each, in addition to its name. */
export interface ToolLabel {
  readonly title?: string
  readonly description?: string
  readonly effects?: Effects
  readonly deprecated?: boolean
}

/** Extracts the label from a Tool's schema. Values of a wrong type are left out. */
export function toolLabel({ title, description, effects, deprecated }: ToolSchema): ToolLabel {
  return {
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    ...(effects && { effects }),
    ...(deprecated === true && { deprecated }),
  }
}
