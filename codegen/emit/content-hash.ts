import { createHash } from 'node:crypto'
import { canonicalJson } from '../../runtime/json/canonical-json.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import type { ToolModel } from '../model.ts'
import { withDefinitions } from './tool-schema.ts'

/** Hex digits kept: 64 bits, far beyond chance for any number of Tools, and short in a diff. */
const digits = 16

/**
 * What a Tool means, as a short hash: its schema and the shared schemas that it reaches. It stays the same when keys
 * are merely reordered or another Tool changes.
 */
export function contentHash(tool: ToolModel, definitions: Readonly<Record<string, JsonSchema>>): string {
  const { $defs: reached = {}, ...schema } = withDefinitions(tool.schema, definitions)
  const text = canonicalJson({ schema, definitions: reached })
  return createHash('sha256').update(text).digest('hex').slice(0, digits)
}
