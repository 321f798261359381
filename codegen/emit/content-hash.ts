import { createHash } from 'node:crypto'
import { canonicalJson } from '../../runtime/json/canonical-json.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import type { ToolModel } from '../model.ts'
import { withDefinitions } from './tool-schema.ts'

/** Number of hex digits: 64 bits, which avoids collisions and stays short in a diff. */
const digits = 16

/**
 * Hashes a Tool's schema with the shared schemas that it uses. The hash does not change if keys are only reordered or another
 * Tool changes.
 */
export function contentHash(tool: ToolModel, definitions: Readonly<Record<string, JsonSchema>>): string {
  const { $defs: reached = {}, ...schema } = withDefinitions(tool.schema, definitions)
  const text = canonicalJson({ schema, definitions: reached })
  return createHash('sha256').update(text).digest('hex').slice(0, digits)
}
