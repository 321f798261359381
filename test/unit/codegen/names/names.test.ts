import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fileName } from '../../../../codegen/names/file-name.ts'
import {
  definitionIdentifiers,
  memberPath,
  toIdentifier,
  toolkitTypeNames,
  toolTypeNames,
  uniqueIdentifiers,
  writtenName,
} from '../../../../codegen/names/names.ts'
import { verdictName } from '../../../../codegen/validators/names.ts'

describe('TOOL-3 a name as a TypeScript identifier', () => {
  const cases: [name: string, identifier: string][] = [
    ['weatherCheck', 'WeatherCheck'],
    ['resolve-library-id', 'ResolveLibraryId'],
    ['PhraseEmphasis.bold', 'PhraseEmphasisBold'],
    ['get_URL', 'GetURL'],
    ['_private', 'Private'],
    ['__', 'Unnamed'],
    ['', 'Unnamed'],
    ['a--b..c', 'ABC'],
    ['3d model', '_3dModel'],
    ['日本', '日本'],
    ['élan vital', 'ÉlanVital'],
    ['e\u0301lan', 'Élan'],
    ['ßuper', 'SSuper'],
    ['𝒳x', '𝒳x'],
    ['a*/b`$(c)', 'ABC'],
    ['string', 'String'],
    ['class', 'Class'],
  ]
  it.each(cases)('%j is %s', (name, identifier) => {
    expect(toIdentifier(name)).toBe(identifier)
  })

  it('is an identifier, whatever the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(toIdentifier(name)).toMatch(/^[\p{ID_Start}_]\p{ID_Continue}*$/u)
        // The check of a shared definition is a constant of that name.
        expect(verdictName(toIdentifier(name))).toBe(`${toIdentifier(name)}Verdict`)
      }),
      { numRuns: 150 },
    )
  })
})

describe('TOOL-3 two names that give one identifier both live', () => {
  it('the first by code unit keeps it, the later ones take a hash of their own names', () => {
    const given = uniqueIdentifiers(['get_user', 'get-user', 'getUser', 'other'])
    expect(given.get('get-user')).toBe('GetUser')
    expect(given.get('getUser')).toMatch(/^GetUser_[a-z0-9]{6}$/)
    expect(given.get('get_user')).toMatch(/^GetUser_[a-z0-9]{6}$/)
    expect(given.get('other')).toBe('Other')
    expect(new Set(given.values()).size).toBe(4)
  })

  it('GEN-2 the order in which names come does not matter', () => {
    const names = ['b.c', 'bC', 'a', 'b_c', 'b-c']
    expect([...uniqueIdentifiers(names)]).toEqual([...uniqueIdentifiers(names.toReversed())])
  })

  it('adding an unrelated tool renames no other', () => {
    const name = fc.stringMatching(/^[a-c]([_.-]?[a-cA-C]){0,3}$/)
    fc.assert(
      fc.property(fc.array(name), name, (names, added) => {
        fc.pre(!names.some((other) => toIdentifier(other) === toIdentifier(added)))
        const after = uniqueIdentifiers([...names, added])
        for (const [other, identifier] of uniqueIdentifiers(names)) expect(after.get(other)).toBe(identifier)
      }),
      { numRuns: 300 },
    )
  })

  it('identifiers are unique and so are all the types made of them', () => {
    const name = fc.stringMatching(/^(get|a)([_.-]?(Call|Resolved|Output|Toolkit|call|meta|arguments)){0,3}$/)
    fc.assert(
      fc.property(fc.array(name), fc.array(name), (names, definitions) => {
        const tools = uniqueIdentifiers(names)
        const shared = definitionIdentifiers(definitions, tools)
        const types = [
          ...[...tools.values()].flatMap((identifier) => Object.values(toolTypeNames(identifier))),
          ...toolkitTypeNames(names).values(),
          ...[...shared.values()].flatMap((identifier) => [identifier, writtenName(identifier)]),
        ]
        expect(types).toHaveLength(new Set(types).size)
      }),
      { numRuns: 300 },
    )
  })
})

describe('TOOL-7 a shared definition gets a name apart from', () => {
  const tools = uniqueIdentifiers(['weatherCheck', 'weather.now'])
  const cases: [what: string, name: string][] = [
    ['a global type', 'Promise'],
    ['a global type that the language has', 'record'],
    ['what generated modules declare', 'Calls'],
    ['what generated modules export', 'Tool'],
    ['the type of a Tool', 'weather_check_call'],
    ['the type of a toolkit', 'weather_toolkit'],
    ['the written form of a definition', 'AddressWithReferences'],
  ]
  it.each(cases)('%s: %s', (_, name) => {
    const given = definitionIdentifiers([name], tools).get(name)
    expect(given).toMatch(new RegExp(`^${toIdentifier(name)}_[a-z0-9]{6}$`))
  })

  it('and keeps its own where nothing stands in the way', () => {
    const given = definitionIdentifiers(['Address', 'Node', 'weatherCheck'], tools)
    expect([...given.values()]).toEqual(['Address', 'Node', 'WeatherCheck'])
  })
})

it('TYPE-6 toolkits have types of their own, whatever else is called alike', () => {
  const types = toolkitTypeNames(['Text.Case.upper', 'Text.Case', 'TextCase.lower', 'plain'])
  expect([...types.keys()]).toEqual(['Text', 'Text.Case', 'TextCase'])
  expect(types.get('Text')).toBe('TextToolkit')
  expect(types.get('Text.Case')).toBe('TextCaseToolkit')
  expect(types.get('TextCase')).toMatch(/^TextCase_[a-z0-9]{6}Toolkit$/)
})

it('TYPE-6 toolkits nest below calls', () => {
  expect(memberPath('PhraseEmphasis.bold')).toEqual(['PhraseEmphasis', 'bold'])
  expect(memberPath('resolve-library-id')).toEqual(['resolve-library-id'])
})

describe('TOOL-3 the name of a Tool’s file', () => {
  it.each([
    ['Text.bold', 'Text__bold'],
    ['aux', 'tool.aux'],
    ['COM1', 'tool.COM1'],
    ['auxiliary', 'auxiliary'],
    ['nul.x', 'nul__x'],
  ])('of %s is %s, which Windows takes as well', (name, expected) => {
    expect(fileName(name)).toBe(expected)
  })
})
