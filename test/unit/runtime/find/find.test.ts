import { createRegistry, type RankTools } from 'callsheet'
import { describe, expect, test, vi } from 'vitest'
import { readIndexLine, writeIndexLine } from '../../../../runtime/find/index-line.ts'
import { Ranker } from '../../../../runtime/find/ranker.ts'
import { searchEntryOf } from '../../../../runtime/find/search-entry.ts'
import type { JsonSchema, ToolSchema } from '../../../../runtime/schema/schema.ts'
import { toolFacts } from '../../../../runtime/schema/tool-facts.ts'

function schema(
  name: string,
  description: string,
  properties: JsonSchema = {},
  more: JsonSchema = {},
): ToolSchema {
  return {
    type: 'object',
    description,
    properties: { _tool: { const: name }, ...properties },
    required: ['_tool'],
    ...more,
  } as ToolSchema
}

const tools = {
  weatherCheck: schema('weatherCheck', 'Current weather at a location.', {
    location: { type: 'string', description: 'City and country' },
    units: { enum: ['celsius', 'fahrenheit'] },
  }),
  bookFlight: schema(
    'bookFlight',
    'Books a flight between two airports.',
    {
      route: { $ref: '#/$defs/Route' },
    },
    {
      $defs: {
        Route: {
          type: 'object',
          properties: { departure: { type: 'string' }, via: { $ref: '#/$defs/Route' } },
        },
      },
    },
  ),
  callTaxi: schema('callTaxi', 'Orders a taxi to an address.', { address: { type: 'string' } }),
  sendMail: schema(
    'sendMail',
    'Sends a letter by electronic mail.',
    {},
    {
      examples: [{ _tool: 'sendMail', to: 'reception@hotel.example' }],
    },
  ),
}

const names = async (question: string, options = {}): Promise<string[]> => {
  const { Tool } = createRegistry({ tools })
  return (await Tool.find(question, options)).map(({ name }) => name)
}

describe('FIND-1 Tool.find', () => {
  test.each([
    ['the words of the name', 'check weather', 'weatherCheck'],
    ['the description, stemmed', 'booking flights', 'bookFlight'],
    ['a parameter', 'something with units', 'weatherCheck'],
    ['a value of an enum', 'in Fahrenheit', 'weatherCheck'],
    ['a parameter inside a shared definition, which is recursive', 'departure', 'bookFlight'],
    ['an example', 'reception', 'sendMail'],
    ['a word of the same group', 'get me a cab', 'callTaxi'],
    ['a misspelt word', 'wether at home', 'weatherCheck'],
  ])('finds by %s', async (_, question, wanted) => {
    expect((await names(question))[0]).toBe(wanted)
  })

  test('nothing fits: an empty list', async () => {
    expect(await names('zzz')).toEqual([])
    expect(await names('')).toEqual([])
  })

  test('at most `limit`, the same each time', async () => {
    expect(await names('a flight, a taxi, the weather and a mail', { limit: 2 })).toHaveLength(2)
    const { Tool } = createRegistry({ tools })
    const first = await Tool.find('flight or taxi')
    expect(await Tool.find('flight or taxi')).toEqual(first)
  })

  test('sees Tools that came later, and not those that went or are off', async () => {
    const { Tool } = createRegistry({ tools })
    expect(await Tool.find('violin')).toEqual([])
    Tool.register('tuneViolin', schema('tuneViolin', 'Tunes a violin.'))
    expect((await Tool.find('violin'))[0]?.name).toBe('tuneViolin')
    Tool.register('tuneViolin', schema('tuneViolin', 'Tunes a violin.'), { enabled: false })
    expect(await Tool.find('violin')).toEqual([])
    Tool.unregister('callTaxi')
    expect((await Tool.find('taxi')).map(({ name }) => name)).not.toContain('callTaxi')
  })

  test('SERVE-6 what is not there for somebody is not found by them; who they are says the question, or the registry', async () => {
    const { Tool } = createRegistry({ tools, principal: 'eve' })
    const violin = schema('tuneViolin', 'Tunes a violin.')
    Tool.register('tuneViolin', violin, { enabled: (_, principal) => principal === 'ada' })
    expect(await Tool.find('violin')).toEqual([])
    expect(await Tool.find('violin', { principal: 'ada' })).toHaveLength(1)
    const listed = (given: unknown) => Tool.composable([], given).map(({ name }) => name)
    expect([listed(undefined), listed('ada')].map((each) => each.includes('tuneViolin'))).toEqual([
      false,
      true,
    ])
    Tool.register('tuneViolin', violin, { enabled: (_, principal) => principal === 'eve' })
    expect(await Tool.find('violin')).toHaveLength(1)
    expect(listed(undefined)).toContain('tuneViolin')
  })

  test('`rank` decides, over every Tool that is on; names of its own making are dropped', async () => {
    const rank: RankTools = async (question, all) => {
      expect(question).toBe('taxi')
      expect(all.map(({ name }) => name).sort()).toEqual(Object.keys(tools).sort())
      expect(all.find(({ name }) => name === 'callTaxi')?.score).toBeGreaterThan(0)
      return ['ghost', 'sendMail', 'sendMail', 'callTaxi'].map((name) => ({ name, score: 1 }))
    }
    expect(await names('taxi', { rank })).toEqual(['sendMail', 'callTaxi'])
    const { Tool } = createRegistry({ tools, rank })
    expect((await Tool.find('taxi', { limit: 1 })).map(({ name }) => name)).toEqual(['sendMail'])
  })

  test('FIND-1 a `rank` that names no Tool that is on is warned of once; one that finds nothing is not', async () => {
    const emitted = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    expect(await names('taxi', { rank: () => [] })).toEqual([])
    expect(
      await names('taxi', {
        rank: () => [
          { name: 'ghost', score: 1 },
          { name: 'callTaxi', score: 1 },
        ],
      }),
    ).toEqual(['callTaxi'])
    expect(emitted).not.toHaveBeenCalled()
    const rank: RankTools = () => [{ name: 'call_taxi', score: 1 }]
    expect([await names('taxi', { rank }), await names('taxi', { rank })]).toEqual([[], []])
    expect(emitted.mock.calls).toEqual([
      [expect.stringContaining('"call_taxi"'), { type: 'CallsheetWarning', code: 'CALLSHEET_RANK' }],
    ])
    emitted.mockRestore()
  })

  test.each([
    ['a question that is no text', 5, {}],
    ['a limit of 0', 'taxi', { limit: 0 }],
    ['a limit that is no number', 'taxi', { limit: '3' }],
    ['a rank that is no function', 'taxi', { rank: 'cosine' }],
    ['a rank that answers names', 'taxi', { rank: () => ['callTaxi'] }],
    ['a rank that answers nothing', 'taxi', { rank: () => undefined }],
    ['a misspelt option', 'taxi', { limits: 3 }],
  ])('%s is invalid_options', async (_, question, options) => {
    const { Tool } = createRegistry({ tools })
    await expect(Tool.find(question as string, options as object)).rejects.toMatchObject({
      code: 'invalid_options',
    })
  })

  test('words of the language are words like others', async () => {
    const { Tool } = createRegistry({ tools: { odd: schema('odd', 'The toString of __proto__.') } })
    expect((await Tool.find('constructor toString __proto__'))[0]?.name).toBe('odd')
    expect(await Tool.find('hasOwnProperty constructor')).toEqual([])
  })
})

describe('the index', () => {
  const entries = Object.entries(tools).map(([name, tool]) => searchEntryOf(toolFacts(name, tool), tool))

  test('a line reads back as it was', () => {
    for (const entry of entries) expect(readIndexLine(writeIndexLine(entry))).toEqual(entry)
  })

  test('the order in which Tools are declared changes nothing', () => {
    const question = 'flight taxi weather mail location'
    expect(new Ranker([...entries].reverse()).rank(question)).toEqual(new Ranker(entries).rank(question))
  })

  test('an enum of ten thousand values costs no more than its first hundreds', () => {
    const wide = schema('wide', 'Wide.', {
      of: { enum: Array.from({ length: 10_000 }, (_, each) => `value${each}`) },
    })
    expect(writeIndexLine(searchEntryOf(toolFacts('wide', wide), wide)).length).toBeLessThan(4_000)
  })

  test('a question as long as a book is answered', () => {
    expect(new Ranker(entries).rank('flight weather taxi '.repeat(100_000))).toHaveLength(3)
  })

  test('of a question, forty unknown words are compared with what the Tools contain', () => {
    const unknown = (count: number): string =>
      Array.from(
        { length: count },
        (_, each) => `qqx${String.fromCharCode(97 + (each % 26))}zzj${'v'.repeat(each / 26)}`,
      ).join(' ')
    const ranker = new Ranker(entries)
    expect(ranker.rank(`${unknown(39)} wether`)).toHaveLength(1)
    expect(ranker.rank(`${unknown(40)} wether`)).toHaveLength(0)
    expect(ranker.rank('wether')).toHaveLength(1)
  })
})
