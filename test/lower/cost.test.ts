import { expect, test } from 'vitest'
import { compose } from '../../runtime/compose/compose.ts'
import { composedBranches } from '../../runtime/lower/composed-tools.ts'
import { lower } from '../../runtime/lower/lower.ts'
import { lowerTools } from '../../runtime/native/native-tools.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import { hasRealTools } from '../shared-data.ts'
import { realTools } from './real-tools.ts'

const added = ['_reasoningForCall', '_activity']

/** The composed schema without the fields that the system adds; `_tool` stays, as a function has a name. */
function withoutMetaFields(schema: JsonSchema): JsonSchema {
  const bare = structuredClone(schema)
  for (const branch of composedBranches(bare) as JsonSchema[]) {
    for (const name of added) delete branch.properties?.[name]
    branch.required = (branch.required ?? []).filter((name) => !added.includes(name))
  }
  return bare
}

test.skipIf(!hasRealTools)(
  'one composed schema costs what the same Tools cost as strict function tools',
  () => {
    const composed = lower(compose(realTools()), 'openai').schema
    const functions = lowerTools(realTools(), 'openai-responses', { metaFields: 'omit' })
    expect(functions.strict).toHaveLength(117)
    const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
    // 0.990 of the bytes; in o200k tokens 1.005.
    expect(bytes(withoutMetaFields(composed)) / bytes(functions.tools)).toBeLessThan(1.0)
  },
)
