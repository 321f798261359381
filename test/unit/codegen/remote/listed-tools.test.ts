import { createRegistry, tool } from 'callsheet'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { listedTools, schemaOfListed } from '../../../../codegen/remote/listed-tools.ts'
import { servedTools } from '../../../../runtime/server/served-tools.ts'

const fine = { name: 'fine', inputSchema: { type: 'object', properties: { a: { type: 'string' } } } }

describe('SERVE-7 what a server lists', () => {
  test('of a server of ours is taken as it is', async () => {
    const { Tool } = createRegistry({
      tools: {
        pay: tool(
          'pay',
          { amount: Type.Number(), _note: Type.Optional(Type.String()), _output: Type.String() },
          { effects: 'write', parameters: ['_note'] },
        ),
      },
    })
    const list = await servedTools(Tool, undefined)
    const { tools, refused } = listedTools(JSON.parse(JSON.stringify(list)))
    expect(refused.size).toBe(0)
    expect(tools.map(({ name, effects }) => [name, effects])).toEqual([['pay', 'write']])
    expect(tools.map(schemaOfListed)).toMatchObject([
      { parameters: ['_note'], required: ['_tool', 'amount'] },
    ])
  })

  test.each<[unknown, string | undefined, RegExp]>([
    [null, '0', /expected one with a name, got null/],
    [5, '0', /got 5/],
    [{}, '0', /got \{\}/],
    [{ name: 5, inputSchema: {} }, '0', /expected one with a name/],
    [{ name: '\u001b[2Jpay', inputSchema: {} }, '0', /expected one with a name/],
    [{ name: '__proto__', inputSchema: {} }, '0', /expected one with a name/],
    [{ name: 'fine', inputSchema: {} }, 'fine', /listed twice/],
    [{ name: 'odd' }, 'odd', /inputSchema is nothing/],
    [{ name: 'odd', inputSchema: 5 }, 'odd', /inputSchema is 5/],
    [{ name: 'odd', inputSchema: { properties: 5 } }, 'odd', /`properties` is 5/],
    [{ name: 'odd', inputSchema: { properties: { a: null } } }, 'odd', /`properties.a` is null/],
    [{ name: 'odd', inputSchema: { properties: { _tool: { const: 'pay' } } } }, 'odd', /"_tool" says "pay"/],
    [{ name: 'odd', inputSchema: { required: 7 } }, 'odd', /`required` is 7/],
    [
      { name: 'odd', inputSchema: { properties: { a: { type: 'zzz' } } } },
      'odd',
      /must be the name of a JSON type/,
    ],
    [{ name: 'odd', inputSchema: { properties: { a: { $ref: '#/nope' } } } }, 'odd', /names no schema/],
    [{ name: 'odd', inputSchema: { $ref: '#' } }, 'odd', /refers back to itself/],
  ])('%j is left out, and says why; the others are not', (odd, name, why) => {
    const { tools, refused } = listedTools([fine, odd, { ...fine, name: 'other' }])
    expect(tools.map((each) => each.name)).toEqual(['fine', 'other'])
    expect([...refused]).toEqual([[name === '0' ? '1' : name, expect.stringMatching(why)]])
  })

  test('of what only tells of a Tool, what has another form is left out', () => {
    const odd = { ...fine, title: 5, description: {}, effects: 'none', deprecated: 'yes', outputSchema: [] }
    expect(listedTools([odd]).tools).toEqual([{ ...fine, contract: '' }])
  })
})
