import { plainParameters } from '../native/plain-names.ts'
import { inlineReferences } from '../schema/inline-references.ts'
import type { JsonSchema } from '../schema/schema.ts'
import { forBothDrafts } from './for-both-drafts.ts'
import { withPlainRoot } from './plain-root.ts'
import { withItems } from './with-items.ts'

/** Keywords that name properties elsewhere than in `properties` and `required`. */
const namingKeywords = [
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'propertyNames',
  'if',
] as const

/**
 * Returns the schema of a Tool's parameters as clients of MCP can pass it on to a model's API, which refuses a whole request for one
 * schema that it does not take: with definitions in place, no alternatives at its root, `items` in each list, and plain names of
 * parameters. What the Tool accepts does not change.
 *
 * @returns The schema, and how each parameter that was renamed is sent.
 */
export function modelSchema(parameters: JsonSchema): ReturnType<typeof plainParameters> {
  const whole = withPlainRoot(inlineReferences(parameters))
  const { schema, sentAs } = plainParameters(withItems(forBothDrafts(whole)) as JsonSchema)
  if (sentAs.size > 0) for (const keyword of namingKeywords) delete schema[keyword]
  return { schema, sentAs }
}
