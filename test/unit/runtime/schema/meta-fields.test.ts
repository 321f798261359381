import { expect, test } from 'vitest'
import { isFreeField, metaFieldNames } from '../../../../runtime/schema/meta-fields.ts'
import { withoutFreeFields } from '../../../../runtime/tools/tool-entry.ts'

test('CALL-1a what a check of the whole object does not see are the fields that every Call may carry', () => {
  const call = Object.fromEntries(['location', ...metaFieldNames].map((name) => [name, name]))
  let seen: readonly string[] = []
  withoutFreeFields((rest) => {
    seen = Object.keys(rest)
    return true
  })(call)
  expect(seen).toEqual(Object.keys(call).filter((name) => !isFreeField(name)))
})
