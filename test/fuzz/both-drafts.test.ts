import { Ajv } from 'ajv'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { interpretCheck } from '../../runtime/check-tree/interpret.ts'
import { forBothDrafts } from '../../runtime/server/for-both-drafts.ts'
import { withItems } from '../../runtime/server/with-items.ts'
import { often } from '../runs.ts'
import { fuzz } from './campaign.ts'
import { choices, everyKeywordSchema, nearValue } from './every-keyword-schema.ts'
import { made } from './made.ts'

const seen = { taken: 0 }

fuzz(
  'SERVE-2 what a Tool gives is refused by no client, whichever draft it reads the schema by',
  150,
  fc.tuple(everyKeywordSchema, fc.array(choices, { minLength: 6, maxLength: 6 })),
  ([schema, recipes]) => {
    const check = made(() => interpretCheck(schema))
    if (!check) return
    const listed = forBothDrafts(schema)
    const [other, complete] = [judgeOf(listed), judgeOf(withItems(listed))]
    for (const recipe of recipes) {
      const value = nearValue(schema, recipe)
      if (!check(value) || hasOwnToString(value)) continue
      seen.taken++
      expect(other(value), JSON.stringify({ schema, listed, value })).not.toBe(false)
      if (!JSON.stringify(schema).includes('"not"')) {
        expect(complete(value), JSON.stringify({ schema, listed, value })).not.toBe(false)
      }
    }
  },
)

/** What a client of version 1 of the MCP SDK judges by; undefined where Ajv itself fails. */
function judgeOf(schema: unknown): (value: unknown) => unknown {
  const ajv = new Ajv({
    strict: false,
    ownProperties: true,
    validateFormats: false,
    validateSchema: false,
    logger: false,
  })
  let judge: ReturnType<Ajv['compile']> | undefined
  return (value) => {
    try {
      judge ??= ajv.compile(schema as object)
      return judge(value)
    } catch {
      return undefined
    }
  }
}

/** Ajv calls `toString` of a value that it compares. */
function hasOwnToString(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.hasOwn(value, 'toString') || Object.values(value).some(hasOwnToString)
}

test('values were taken, and a tuple that draft-07 would refuse is not', () => {
  expect(seen.taken).toBeGreaterThan(often(100))
  const tuple = { type: 'array', prefixItems: [{ type: 'string' }], items: false }
  expect(judgeOf(tuple)(['a'])).toBe(false)
  expect(judgeOf(forBothDrafts(tuple))(['a'])).toBe(true)
})
