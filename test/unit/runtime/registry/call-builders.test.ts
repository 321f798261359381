import { describe, expect, test } from 'vitest'
import { callBuilders } from '../../../../runtime/registry/call-builders.ts'

type Build = (parameters?: object, meta?: object) => object

/** Finds the builder of a Tool by walking its segments, as `calls.a.b` does. */
function builder(names: readonly string[], ...segments: readonly string[]): Build {
  const found = segments.reduce<unknown>(
    (parent, segment) => (parent as Record<string, unknown>)[segment],
    callBuilders(names),
  )
  return found as Build
}

describe('TYPE-6 calls.<tool>(parameters, meta)', () => {
  test('makes plain Calls, toolkits nested', () => {
    const names = ['weather', 'Phrase.bold']
    expect(builder(names, 'weather')({ place: 'Oslo' }, { _outputPath: '†state.w' })).toEqual({
      _tool: 'weather',
      place: 'Oslo',
      _outputPath: '†state.w',
    })
    expect(builder(names, 'Phrase', 'bold')()).toEqual({ _tool: 'Phrase.bold' })
  })

  test('parameters cannot name another Tool', () => {
    expect(builder(['weather'], 'weather')({ _tool: 'pay' }, { _tool: 'pay' })).toEqual({ _tool: 'weather' })
  })

  test.each([
    { names: ['a', 'a.name', 'a.length', 'a.name.deep'] },
    { names: ['a.name.deep', 'a.length', 'a.name', 'a'] },
  ])('a Tool may be a toolkit too, whatever its members are called: $names', ({ names }) => {
    for (const name of names) expect(builder(names, ...name.split('.'))()).toEqual({ _tool: name })
  })

  test('names of every object’s members are names like others', () => {
    const names = ['toString', 'then.valueOf']
    for (const name of names) expect(builder(names, ...name.split('.'))()).toEqual({ _tool: name })
    expect(Object.keys(callBuilders(names))).toEqual(['toString', 'then'])
  })
})
