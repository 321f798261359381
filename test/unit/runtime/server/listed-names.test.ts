import { expect, test } from 'vitest'
import { listedNames, namedTool } from '../../../../runtime/server/listed-names.ts'

const long = `${'Long.'.repeat(20)}name`

test.each<[string[], string[]]>([
  [
    ['add', 'Text.upper', 'Text.case.lower'],
    ['add', 'Text__upper', 'Text__case__lower'],
  ],
  // One name for several Tools: each keeps its own.
  [
    ['a.b', 'a__b'],
    ['a.b', 'a__b'],
  ],
  [
    ['a.b__c', 'a__b.c', 'd.e'],
    ['a.b__c', 'a__b.c', 'd__e'],
  ],
  [
    ['constructor', '__proto__.x'],
    ['constructor', '__proto____x'],
  ],
])('SERVE-2 %j are listed as %j', (names, want) => {
  const listed = listedNames(names)
  expect(names.map((name) => listed.get(name))).toEqual(want)
  const tools = names.map((name) => ({ name }))
  // Each Tool is called by either name.
  for (const [index, name] of names.entries()) {
    expect(namedTool(tools, name)).toBe(tools[index])
    expect(namedTool(tools, want[index] ?? '')).toBe(tools[index])
  }
})

test('SERVE-2 a long name is listed in as many characters as clients take', () => {
  const listed = listedNames([long]).get(long) ?? ''
  expect(listed).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
  expect(namedTool([{ name: long }], listed)?.name).toBe(long)
})

test('SERVE-2 a name that two Tools could be means neither', () => {
  expect(namedTool([{ name: 'a.b__c' }, { name: 'a__b.c' }], 'a__b__c')).toBeUndefined()
})
