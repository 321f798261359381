import { describe, expect, test } from 'vitest'
import { callsheet, definition, project } from '../cli/in-terminal.ts'

const folder = (): string =>
  project({
    'definitions/search.ts': definition('search'),
    'plan.json': JSON.stringify([
      { _tool: 'search', query: '†input.topic', _outputPath: '†state.found' },
      { _tool: 'search', query: '†state.found.0.title' },
    ]),
    'wrong.json': JSON.stringify({ calls: [{ _tool: 'serch', query: '†state.x' }] }),
    'none.json': '{}',
    'broken.json': '[',
  })

describe('TYPE-3 callsheet explain --plan', () => {
  test('draws the graph', async () => {
    expect(await callsheet(folder(), ['explain', '--plan', 'plan.json'])).toEqual({
      code: 0,
      err: '',
      out: `flowchart TD
  given0(["†input.topic"])
  call0["search<br/>writes †state.found"]
  call1["search"]
  given0 -->|"†input.topic"| call0
  call0 -->|"†state.found.0.title"| call1
`,
    })
  })

  test('takes a Message from standard input', async () => {
    const input = JSON.stringify({ type: 'plan', plan: [{ _tool: 'search', query: 'x' }] })
    const { code, out } = await callsheet(folder(), ['explain', '--plan', '-'], { input })
    expect([code, out]).toEqual([0, 'flowchart TD\n  call0["search"]\n'])
  })

  test('says everything that is wrong with a plan', async () => {
    const { code, out, err } = await callsheet(folder(), ['explain', '--plan', 'wrong.json'])
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain('/0/_tool: expected the name of a Tool, got "serch". Did you mean "search"?')
    expect(err).toContain('no Call writes †state.x')
  })

  test.each([
    [['--plan', 'none.json'], 2, 'The file holds no plan.'],
    [['--plan', 'missing.json'], 2, 'Cannot read missing.json: it does not exist.'],
    [['--plan', 'broken.json'], 1, 'The source is not JSON'],
    [
      ['--plan', 'broken.json'],
      1,
      'fix: Pass a plan as JSON: a list of Calls, a plan Message or a solution.\n',
    ],
    [['search', '--plan', 'plan.json'], 2, '--plan cannot be combined with a Tool.'],
  ])('%j', async (args, code, tells) => {
    const printed = await callsheet(folder(), ['explain', ...args])
    expect(printed.code).toBe(code)
    expect(printed.err).toContain(tells)
  })
})
