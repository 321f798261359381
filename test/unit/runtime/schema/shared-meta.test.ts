import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { createRegistry, tool, toolkit } from '../../../../runtime/index.ts'
import { fixedValue } from '../../../../runtime/schema/fixed-value.ts'
import { type SharedMeta, sharedMetaOf, withSharedMeta } from '../../../../runtime/schema/shared-meta.ts'

describe('TOOL-10: meta-fields that many Tools share', () => {
  const cases: { title: string; meta: SharedMeta; name?: string; want: object }[] = [
    {
      title: 'true: a Call may say it',
      meta: { _outputPath: true },
      want: { _outputPath: { type: 'string' } },
    },
    {
      title: 'true for scopes: a list of texts',
      meta: { _scopes: true },
      want: { _scopes: { type: 'array', items: { type: 'string' } } },
    },
    {
      title: 'a text: the Tools’ own word',
      meta: { _instance: 'mail' },
      want: { _instance: { type: 'string', const: 'mail' } },
    },
    {
      title: 'a schema: as it is',
      meta: { _delegate: { enum: ['a', 'b'] } },
      want: { _delegate: { enum: ['a', 'b'] } },
    },
    {
      title: 'by name, the later rule counts',
      meta: [
        { _instance: 'all', _outputPath: true },
        { tools: ['mail.*', 'x'], _instance: 'mail' },
        { tools: 'mai', _instance: 'no' },
      ],
      want: { _instance: { type: 'string', const: 'mail' }, _outputPath: { type: 'string' } },
    },
    {
      title: 'a pattern is no regular expression',
      meta: [{ tools: 'mail.sen.', _instance: 'no' }],
      want: {},
    },
    { title: 'a dot is a dot', name: 'mailXsend', meta: [{ tools: 'mail.*', _instance: 'no' }], want: {} },
  ]
  test.each(cases)('$title', ({ meta, name = 'mail.send', want }) => {
    expect(sharedMetaOf(name, meta)).toEqual(want)
  })

  test('a list of texts is a list with that one value', () => {
    const { _scopes } = sharedMetaOf('a', { _scopes: ['†state.a', '†input'] })
    expect(fixedValue(_scopes)).toEqual(['†state.a', '†input'])
  })

  test('a Tool’s own word stands over them', () => {
    expect(withSharedMeta('a', { _instance: { const: 'own' } }, { _instance: 'shared' })).toEqual({
      _instance: { const: 'own' },
    })
  })

  test('an option of toolkit; a Call need not give them', () => {
    const kit = toolkit(
      'mail',
      { send: { to: Type.String() }, read: { _instance: Type.Literal('own') } },
      { meta: { _outputPath: true, _instance: 'box' } },
    )
    expect(JSON.parse(JSON.stringify(kit.send))).toMatchObject({
      properties: { _outputPath: { type: 'string' }, _instance: { const: 'box' } },
      required: ['_tool', 'to'],
    })
    expect(kit.send).not.toHaveProperty('meta')
    expect(kit.read.properties._instance.const).toBe('own')
  })
})

describe('TOOL-10 createRegistry', () => {
  const tools = {
    note: tool('note', { text: Type.String(), _output: Type.String() }),
    'mail.send': tool('mail.send', {
      to: Type.String(),
      _outputPath: Type.Literal('†state.own'),
      _output: Type.String(),
    }),
  }
  const meta = [{ _outputPath: true }, { tools: 'mail.*', _instance: { type: 'string' } }] as const

  test('gives the fields to the Tools that match, in schema and runs; their own word stands', async () => {
    const { Tool, Activity } = createRegistry({ tools, meta })
    expect(Tool.get('note')?.properties).toMatchObject({ _outputPath: { type: 'string' } })
    expect(Tool.get('note')?.properties).not.toHaveProperty('_instance')
    expect(Tool.get('mail.send')?.properties).toMatchObject({
      _outputPath: { const: '†state.own' },
      _instance: { type: 'string' },
    })
    expect(tools.note.properties).not.toHaveProperty('_outputPath')
    Activity.register('note', ({ text }) => text)
    const outcome = await Tool.run({ _tool: 'note', text: 'tea', _outputPath: '†state.note' })
    expect(outcome.appended).toMatchObject([{ data: { note: 'tea' } }])
  })

  test.each([
    [{ _outputPaths: true }, '_outputPaths'],
    [[{ _output: true }], '_output'],
    ['_outputPath', '"_outputPath"'],
    [{ _outputPath: 5 }, '`meta._outputPath` is 5; expected true, a text, or a schema.'],
    [{ _instance: false }, '`meta._instance` is false'],
    [{ _delegate: ['a'] }, '`meta._delegate` is ["a"]'],
    [{ _scopes: [5] }, '`meta._scopes` is [5]; expected true, a text or a list of texts, or a schema.'],
    [{ tools: 5, _instance: true }, '`meta.tools` is 5'],
    [[null], 'null'],
  ])('refuses %j, and so does toolkit', (wrong, named) => {
    expect(() => createRegistry({ tools, meta: wrong as never })).toThrow(named)
    expect(() => toolkit('kit', { a: {} }, { meta: wrong as never })).toThrow(named)
  })

  test('TOOL-4 options of members that are none are refused in words', () => {
    expect(() => toolkit('kit', { a: {} }, { members: null as never })).toThrow(
      'toolkit takes { members: { bold: { … } } }',
    )
  })
})
