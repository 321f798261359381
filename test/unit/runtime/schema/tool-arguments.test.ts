import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { CallsheetError } from '../../../../runtime/errors.ts'
import { tool, toolkit } from '../../../../runtime/schema/tool.ts'
import { callsheet, definition, project } from '../../codegen/cli/in-terminal.ts'

const repository = join(import.meta.dirname, '../../../..')
const takes = 'takes an object of schemas by name, and options after it'

/** As JavaScript would call them, where no compiler refuses it. */
const loose = {
  tool: tool as (...args: unknown[]) => unknown,
  toolkit: toolkit as (...args: unknown[]) => unknown,
}

describe('TOOL-1 arguments that no Tool can be made of', () => {
  const cases: { title: string; declare: () => unknown; want: string }[] = [
    { title: 'no properties', declare: () => loose.tool('a'), want: `Tool "a" ${takes}; got undefined.` },
    { title: 'null', declare: () => loose.tool('a', null), want: `Tool "a" ${takes}; got null.` },
    { title: 'an array', declare: () => loose.tool('a', []), want: `Tool "a" ${takes}; got an array.` },
    {
      title: 'a whole schema',
      declare: () => loose.tool('a', Type.Object({ x: Type.String() })),
      want: `Tool "a" ${takes}; got a whole object schema. Give its properties.`,
    },
    {
      title: 'a whole schema of a validation library',
      declare: () => loose.tool('a', { type: 'object', '~standard': { vendor: 'zod' }, def: {} }),
      want: `Tool "a" ${takes}; got a schema of a library. Give the properties of its JSON Schema.`,
    },
    {
      title: 'a whole schema that is a function, as those of ArkType are',
      declare: () =>
        loose.tool(
          'a',
          Object.assign(() => 0, { '~standard': { vendor: 'arktype' } }),
        ),
      want: `Tool "a" ${takes}; got a schema of a library. Give the properties of its JSON Schema.`,
    },
    {
      title: 'a tool of another SDK',
      declare: () => loose.tool({ name: 'a', parameters: {} }),
      want: 'A declaration takes a name, its properties and options after them, got {"name":"a","parameters":{}}.',
    },
    {
      title: 'a toolkit without a name',
      declare: () => loose.toolkit({ upper: {} }),
      want: 'A declaration takes a name, its properties and options after them, got {"upper":{}}.',
    },
    {
      title: 'the options of a toolkit before its members',
      declare: () => loose.toolkit('Text', { description: 'About text.' }, { upper: {} }),
      want: `Tool "Text.description" ${takes}; got string.`,
    },
    {
      title: 'what runs it among the options, as other kits have it',
      declare: () => loose.tool('a', { x: Type.String() }, { execute: () => 1 }),
      want: 'Tool "a" is a declaration and has no `execute`: use Activity.register(\'a\', …).',
    },
    {
      title: 'another Tool as the options, whose name and parameters would replace its own',
      declare: () => loose.tool('a', { x: Type.String() }, loose.tool('b', {})),
      want: `Tool "a" ${takes}; got a whole Tool as options. Spread its \`properties\` among these.`,
    },
    {
      title: 'a toolkit without Tools',
      declare: () => loose.toolkit('Text', {}),
      want: 'Toolkit "Text" has no Tools: give their properties by their names.',
    },
    {
      title: 'options of a member that the toolkit has not',
      declare: () => loose.toolkit('Text', { upper: {} }, { members: { uper: { effects: 'read' } } }),
      want: 'Toolkit "Text" has no Tool "uper". It has upper.',
    },
    {
      title: 'options of a member among those of all',
      declare: () => loose.toolkit('Text', { upper: {} }, { upper: { effects: 'read' } }),
      want: 'The options of toolkit "Text" hold those of its Tool "upper". Write { members: { upper: { … } } }.',
    },
  ]
  test.each(cases)('$title', ({ declare, want }) => {
    expect(declare).toThrow(new CallsheetError('invalid_options', want))
  })

  test('a parameter called `type` or `properties` is none of them', () => {
    expect(tool('a', { type: { type: 'object' }, properties: { type: 'object' } }).required).toEqual([
      '_tool',
      'type',
      'properties',
    ])
  })

  test.skipIf(!existsSync(join(repository, 'dist/index.js')))(
    'GEN-4 the command line says where, on the built package',
    async () => {
      const slip =
        "import { toolkit } from 'callsheet'\nexport const Text = toolkit('Text', { description: 'x' })\n"
      const folder = project({ 'definitions/a.ts': definition('a'), 'definitions/slip.ts': slip })
      symlinkSync(repository, join(folder, 'node_modules/callsheet'), 'junction')
      const { code, out, err } = await callsheet(folder, ['generate'])
      expect(code).toBe(1)
      expect(out + err).toContain('definitions/slip.ts:2:')
      expect(out + err).toContain(`Tool "Text.description" ${takes}; got string.`)
    },
  )
})

test.each([
  ['0.34', 'TypeBox.Optional', 'Optional'],
  ['0.27', 'TypeBox.Modifier', 'Optional'],
  ['0.27, read-only', 'TypeBox.Modifier', 'ReadonlyOptional'],
])('TOOL-1 a parameter that TypeBox %s marks as optional is optional', (_, mark, value) => {
  const units = { type: 'string', [Symbol.for(mark)]: value }
  expect(tool('weather', { place: Type.String(), units }).required).toEqual(['_tool', 'place'])
})

test.each([
  ['a kind of its own', 'TypeBox.Kind', 'DateOptional'],
  ['another library', 'mark', 'Optional'],
  ['a symbol', 'TypeBox.Modifier', Symbol('Optional')],
  [
    'no text',
    'TypeBox.Modifier',
    {
      toString: () => {
        throw new Error('no text')
      },
    },
  ],
])('TOOL-1 what is marked by %s is required', (_, mark, value) => {
  const units = { type: 'string', [Symbol.for(mark)]: value }
  expect(tool('weather', { units }).required).toEqual(['_tool', 'units'])
})
