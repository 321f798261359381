import { expect, test } from 'vitest'
import { callsheet, definition, project } from '../cli/in-terminal.ts'
import { contents } from '../write/temporary-folder.ts'

const described = (name: string, description: string, parameter = 'query'): string =>
  definition(name, parameter).replace('Made for a test.', description)

const folder = (more: Record<string, string> = {}): string =>
  project({
    'definitions/weather.ts': described('weatherCheck', 'Current weather at a location.', 'location'),
    'definitions/taxi.ts': described('callTaxi', 'Orders a taxi to an address.', 'address'),
    ...more,
  })

test('FIND-1 callsheet find prints the Tools that fit a question, best first', async () => {
  const { code, out } = await callsheet(folder(), ['find', 'is', 'there', 'a', 'cab?'])
  expect(code).toBe(0)
  expect(out).toMatch(/^ +\d+\.\d {2}callTaxi {2}Orders a taxi to an address\.\n$/)
  const json = await callsheet(folder(), ['find', 'weather taxi', '--limit', '1', '--format', 'json'])
  expect(JSON.parse(json.out)).toMatchObject([{ name: expect.any(String), score: expect.any(Number) }])
})

test('FIND-1 of several sets, each is searched as its own Tool.find does, and named', async () => {
  const at = project({
    'callsheet.config.json': JSON.stringify({
      sets: ['one', 'two', 'three'].map((set) => ({ definitions: set, output: `out/${set}` })),
    }),
    'one/taxi.ts': described('callTaxi', 'Orders a taxi.'),
    'two/taxi.ts': described('callTaxi', 'Calls a taxi by phone.'),
    'three/weather.ts': described('weatherCheck', 'Current weather.'),
    'questions.jsonl': '{ "question": "taxi", "tools": ["callTaxi"] }',
  })
  const { out } = await callsheet(at, ['find', 'taxi', '--limit', '1'])
  expect(out.replaceAll(/^ +[\d.]+/gm, '')).toBe(
    'out/one:\n  callTaxi  Orders a taxi.\nout/two:\n  callTaxi  Calls a taxi by phone.\n',
  )
  const json = await callsheet(at, ['find', 'taxi', '--format', 'json'])
  expect(JSON.parse(json.out)).toMatchObject([
    { name: 'callTaxi', set: 'out/one' },
    { name: 'callTaxi', set: 'out/two' },
  ])
  expect((await callsheet(at, ['find', '--eval', 'questions.jsonl'])).out).toMatch(/\n +1 +1\.000\n/)
})

test('a question that no Tool has a word of is a finding', async () => {
  const { code, err } = await callsheet(folder(), ['find', 'xylophone'])
  expect(code).toBe(1)
  expect(err).toContain('No Tool contains a word of this question')
})

test('FIND-3 --eval prints recall, and what was missed', async () => {
  const questions = [
    '{ "question": "how warm is the weather?", "tools": ["weatherCheck"] }',
    '',
    '{ "question": "weather, then a taxi", "tools": ["weatherCheck", "callTaxi"] }',
    '{ "question": "play a song", "tools": ["playSong"] }',
  ].join('\n')
  const at = folder({ 'questions.jsonl': `\uFEFF${questions.replaceAll('\n', '\r\n')}` })
  const { code, out } = await callsheet(at, ['find', '--eval', 'questions.jsonl'])
  expect(code).toBe(0)
  expect(out).toMatch(/^3 questions\n/)
  expect(out).toMatch(/\n +1 +0\.333\n +3 +0\.667\n/)
  expect(out).toContain('play a song\n    wanted playSong; found')
  const json = await callsheet(at, ['find', '--eval', '-', '--format', 'json'], {
    input: `[${questions.split('\n')[0]}]`,
  })
  expect(JSON.parse(json.out)).toMatchObject({ questions: 1, recall: [{ at: 1, share: 1 }, {}, {}, {}, {}] })
})

test.each([
  [['find'], 'find takes a question'],
  [['find', 'a', '--eval', 'q.jsonl'], '--eval takes no question'],
  [['find', '--eval', 'q.jsonl', '--limit', '5'], '--eval takes no --limit'],
  [['find', 'a', '--limit', '0'], '--limit takes a whole number'],
  [['find', '--eval', 'nowhere.jsonl'], 'it does not exist'],
])('wrong usage: %j', async (args, text) => {
  const { code, err } = await callsheet(folder(), args)
  expect(code).toBe(2)
  expect(err).toContain(text)
})

test('every wrong line of a file of questions is named', async () => {
  const { code, err } = await callsheet(folder(), ['find', '--eval', '-'], {
    input: 'nonsense\n{ "question": "a", "tools": [] }\n{ "question": "a", "tools": ["b"] }\n',
  })
  expect(code).toBe(2)
  expect(err).toContain('-:1: expected')
  expect(err).toContain('-:2: expected')
  expect(err).not.toContain('-:3: expected')
})

test('FIND-1, GEN-2 the generated index has a line a Tool, and another Tool changes no other line', async () => {
  const at = folder()
  await callsheet(at, ['generate'])
  const before = contents(at)['generated/search.ts'] ?? ''
  expect(before).toContain('\nweatherCheck|weather check|current weather locat|locat||found\n')
  const more = folder({ 'definitions/bike.ts': described('rentBike', 'Rents a bicycle.') })
  await callsheet(more, ['generate'])
  const after = contents(more)['generated/search.ts'] ?? ''
  expect(
    after
      .split('\n')
      .filter((line) => !line.startsWith('rentBike|'))
      .join('\n'),
  ).toBe(before)
})

test('FIND-3 lint names Tools that read alike, with the words that tell them apart', async () => {
  const at = project({
    'definitions/a.ts': described(
      'listOrgAdvisories',
      'Lists the published security advisories for an owner, with their severity.',
      'owner',
    ),
    'definitions/b.ts': described(
      'listRepoAdvisories',
      'Lists the published security advisories for a repo owner, with their severity.',
      'owner',
    ),
    'definitions/c.ts': described('callTaxi', 'Orders a taxi to an address.', 'address'),
  })
  const { out } = await callsheet(at, ['lint', '--format', 'json'])
  const findings = (JSON.parse(out) as { findings: { rule: string; tool?: string; message: string }[] })
    .findings
  const alike = findings.filter(({ rule }) => rule === 'confusable-tools')
  expect(alike).toMatchObject([{ tool: 'listOrgAdvisories' }])
  expect(alike[0]?.message).toMatch(
    /"listOrgAdvisories" and "listRepoAdvisories" read alike \(\d+ %\): "org" against "repo"/,
  )
})

test.each([
  ['find', 'weather'],
  ['explain', 'weather'],
])('without a definition, %s says what is missing', async (...args) => {
  const { code, out, err } = await callsheet(project({}), args)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain('"definitions" does not exist.')
})
