import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  jsonExpression,
  propertyAccess,
  propertyName,
  stringLiteral,
} from '../../../../codegen/print/literal.ts'

/** Reads printed source the way JavaScript does. */
const evaluate = (source: string): unknown => new Function(`"use strict"; return (${source})`)()

describe('GEN-8 data as source text', () => {
  it('a string reads back as it was, on one line of characters that show', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const source = stringLiteral(text)
        expect(evaluate(source)).toBe(text)
        expect(source).not.toMatch(/[\p{Cc}\p{Surrogate}\u2028-\u202e\u2066-\u2069\ufeff]/u)
      }),
      { numRuns: 300 },
    )
  })

  it('JSON data read back as they were, `__proto__` members included', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(evaluate(jsonExpression(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
      { numRuns: 200 },
    )
    const hostile = JSON.parse('{"__proto__":{"polluted":true},"a":[]}')
    const back = evaluate(jsonExpression(hostile)) as object
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype)
    expect(Object.hasOwn(back, '__proto__')).toBe(true)
  })

  const names: [name: string, inType: string, access: string][] = [
    ['plain', 'plain', '.plain'],
    ['$_1', '$_1', '.$_1'],
    ['resolve-library-id', "'resolve-library-id'", "['resolve-library-id']"],
    ['1', "'1'", "['1']"],
    ['', "''", "['']"],
    ["it's", `"it's"`, `["it's"]`],
    ["']; evil('", `"']; evil('"`, `["']; evil('"]`],
    ['日本', "'日本'", "['日本']"],
  ]
  it.each(names)('the property %j', (name, inType, access) => {
    expect(propertyName(name)).toBe(inType)
    expect(propertyAccess(name)).toBe(access)
  })
})
