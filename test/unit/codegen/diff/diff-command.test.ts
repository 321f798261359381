import { readFileSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type DiffReport, diff } from '../../../../codegen/diff/diff.ts'
import { callsheet } from '../cli/in-terminal.ts'
import { fill } from '../write/temporary-folder.ts'
import { definitions, repository } from './repository.ts'

const before = definitions({
  find: {
    parameters: "query: Type.String(), limit: Type.Optional(Type.Integer()), mode: Type.Enum(['a', 'b']),",
  },
  send: {
    parameters: 'to: Type.String({ description: "Who." }), text: Type.String(),',
    options: "description: 'Sends.', effects: 'read'",
  },
  gone: { parameters: 'only: Type.Boolean(), once: Type.Number(),' },
  oldName: {
    parameters: 'alpha: Type.String(), beta: Type.Integer(), gamma: Type.Boolean(),',
    options: "description: 'Has a telling text.'",
  },
  same: { parameters: 'x: Type.String(),' },
})
const after = definitions({
  find: {
    parameters: "query: Type.String({ maxLength: 10, pattern: '^a|*_' }), mode: Type.Enum(['a', 'b', 'c']),",
    output: 'Type.Union([Type.String(), Type.Null()])',
  },
  send: {
    parameters: 'to: Type.String({ description: "Whom, say @everyone <b>." }), text: Type.String(),',
    options: "description: 'Sends.', effects: 'write'",
  },
  newName: {
    parameters: 'alpha: Type.String(), beta: Type.Integer(), gamma: Type.Boolean(),',
    options: "description: 'Has a telling text.'",
  },
  fresh: { parameters: 'weight: Type.Number(),' },
  same: { parameters: 'x: Type.String(),' },
}).replace("pattern: '^a|*_'", "pattern: '^a'")

function changedProject(config: object = {}): string {
  const folder = repository({
    'definitions/tools.ts': before,
    'callsheet.config.json': JSON.stringify(config),
  })
  fill(folder, { 'definitions/tools.ts': after })
  return folder
}

describe('DIFF-4: formats', () => {
  test.each(['text', 'json', 'github', 'markdown'])('%s', async (format) => {
    const { code, out } = await callsheet(changedProject(), ['diff', '--against', 'HEAD', '--format', format])
    expect(code).toBe(1)
    await expect(out).toMatchFileSnapshot(
      `golden/report.${format === 'markdown' ? 'md' : format === 'json' ? 'json' : format === 'text' ? 'txt' : 'github.txt'}`,
    )
  })

  test('markdown of a project that counts tokens has them before and after, in every dialect', async () => {
    const folder = changedProject({ dialects: ['openai', 'anthropic', 'gemini'] })
    symlinkSync(
      join(import.meta.dirname, '../../../../node_modules/gpt-tokenizer'),
      join(folder, 'node_modules/gpt-tokenizer'),
      'junction',
    )
    const { out } = await callsheet(folder, ['diff', '--against', 'HEAD', '--format', 'markdown'])
    await expect(out).toMatchFileSnapshot('golden/report.tokens.md')
  })

  test.each(['text', 'json', 'github', 'markdown'])('%s, of nothing that changed', async (format) => {
    const folder = repository({ 'definitions/tools.ts': before })
    const { code, out } = await callsheet(folder, ['diff', '--against', 'HEAD', '--format', format])
    expect(code).toBe(0)
    if (format === 'json')
      expect(JSON.parse(out)).toMatchObject({ ok: true, sets: [{ changes: [], unchanged: 5 }] })
    else expect(out).toMatch(format === 'github' ? /^$/ : /nothing changed/)
  })

  test('a worker that is deployed first can accept the old contract; a folder of dots has a name', async () => {
    const earlier = definitions({ find: { parameters: 'q: Type.String(),' }, same: { parameters: '' } })
    const folder = repository({ 'definitions/x.ts': earlier })
    await callsheet(folder, ['generate'])
    const hash = /'find': '(\w+)'/.exec(readFileSync(join(folder, 'generated/contract.ts'), 'utf8'))?.[1]
    expect(hash).toHaveLength(16)
    const same = await callsheet(folder, ['diff', '--against', '.'])
    expect(same.out).toContain(`nothing changed since ${basename(folder)}.`)
    fill(folder, {
      'definitions/x.ts': earlier.replace('q: Type.String()', 'q: Type.Optional(Type.String())'),
    })
    const { out } = await callsheet(folder, ['diff', '--against', 'HEAD'])
    expect(out).toContain(`  contracts: { find: ['${hash}'] }\n`)
    const markdown = await callsheet(folder, ['diff', '--against', 'HEAD', '--format', 'markdown'])
    expect(markdown.out).toContain(`\ncontracts: { find: ['${hash}'] }\n`)
    fill(folder, { 'definitions/x.ts': earlier.replace('Type.String()', 'Type.Number()') })
    expect((await callsheet(folder, ['diff', '--against', 'HEAD'])).out).not.toContain('contracts:')
  })

  test('a definition of another name is safe, and workers that compare contracts refuse it all the same', async () => {
    const named = (id: string): string =>
      definitions({ find: { parameters: `at: Type.Object({ x: Type.Number() }, { $id: '${id}' }),` } })
    const folder = repository({ 'definitions/x.ts': named('Place') })
    fill(folder, { 'definitions/x.ts': named('Location') })
    const { code, out } = await callsheet(folder, ['diff', '--against', 'HEAD'])
    expect(code).toBe(0)
    expect(out).toMatch(/refuse callers with the old contract.*\n {2}contracts: \{ find: \['\w{16}'\] \}\n/)
  })

  test('text that is hostile stays text: no markup, no mention, no command, no other cell', async () => {
    const evil = 'a | b <img src=x> @all `code`\\n::error::x\\n\\n# head'
    const folder = repository({ 'definitions/x.ts': definitions({ x: { parameters: 'a: Type.String(),' } }) })
    const hostile = definitions({
      x: { parameters: `a: Type.String({ description: "${evil}" }), b: Type.Literal("${evil}"),` },
    })
    fill(folder, { 'definitions/x.ts': hostile })
    const run = async (format: string): Promise<string> =>
      (await callsheet(folder, ['diff', '--against', 'HEAD', '--format', format])).out
    const markdown = await run('markdown')
    expect(markdown).not.toMatch(/<img|@all|^# head|^::error/m)
    for (const line of markdown.split('\n').filter((each) => each.startsWith('| `x`')))
      expect(line.replaceAll('\\|', '').split('|').length).toBe(6)
    expect((await run('github')).split('\n').filter((line) => line.startsWith('::error::'))).toEqual([])
  })
})

describe('DIFF-1, DIFF-3, DIFF-4: classes, orders and exit codes', () => {
  test('every class, Tools added, removed, renamed and unchanged', async () => {
    const report = await diff({ cwd: changedProject(), against: 'HEAD' })
    const [set] = report.sets
    expect(set?.unchanged).toBe(1)
    const found = set?.changes.map(({ class: kind, tool, path }) => `${kind} ${tool} ${path}`) ?? []
    for (const expected of [
      'wire find /query',
      'wire find /limit',
      'wire find /mode',
      'wire find /_output',
      'type find /_output',
      'wording send /to',
      'effect send ',
      'wire fresh ',
      'wire gone ',
      'wire newName ',
    ])
      expect(found, expected).toContainEqual(expect.stringContaining(expected))
    expect(found.some((each) => each.startsWith('dialect'))).toBe(true)
    const titled = set?.changes.map(({ title }) => title)
    expect(titled).toContain('Tool renamed from `oldName` to `newName`.')
    expect(titled).toContain('Tool removed.')
    expect(titled).toContain('Tool added.')
  })

  test('places are those of the definitions', async () => {
    const { sets } = await diff({ cwd: changedProject(), against: 'HEAD' })
    const query = sets[0]?.changes.find(({ path }) => path === '/query')
    const line = after.split('\n').findIndex((each) => each.includes('query: ')) + 1
    expect(query?.at).toMatchObject({ file: 'definitions/tools.ts', line })
  })

  const x = (parameters: string, output = 'Type.String()'): string =>
    definitions({
      x: { parameters, output, options: "description: 'Made for a test.', additionalProperties: false" },
    })
  test.each<[string, string, string, Partial<DiffReport['verdicts']>]>([
    [
      'an optional parameter',
      x('a: Type.String(),'),
      x('a: Type.String(), b: Type.Optional(Type.String()),'),
      { together: 'safe', 'worker-first': 'safe', 'agent-first': 'breaks' },
    ],
    [
      'a required parameter',
      x('a: Type.String(),'),
      x('a: Type.String(), b: Type.String(),'),
      { together: 'breaks', 'worker-first': 'breaks', 'agent-first': 'breaks' },
    ],
    [
      'a widened output',
      x('', "Type.Enum(['a', 'b'])"),
      x('', "Type.Enum(['a', 'b', 'c'])"),
      { together: 'breaks', 'worker-first': 'breaks', 'agent-first': 'safe' },
    ],
    [
      'a reworded description',
      x('a: Type.String(),'),
      x("a: Type.String({ description: 'New.' }),"),
      { together: 'safe', 'worker-first': 'safe', 'agent-first': 'safe' },
    ],
    [
      'a pattern that becomes another',
      x("a: Type.String({ pattern: '^(?:[a-z]{3}){2,}$' }),"),
      x("a: Type.String({ pattern: '^[a-z]{6,}$' }),"),
      { 'worker-first': 'breaks' },
    ],
  ])('%s', async (_what, was, is, verdicts) => {
    const folder = repository({ 'definitions/x.ts': was })
    fill(folder, { 'definitions/x.ts': is })
    const report = await diff({ cwd: folder, against: 'HEAD' })
    if (_what.startsWith('a pattern')) expect(report.verdicts.together).not.toBe('safe')
    else expect(report.verdicts).toEqual(verdicts)
    for (const order of ['together', 'worker-first', 'agent-first'] as const) {
      const { code } = await callsheet(folder, ['diff', '--against', 'HEAD', '--order', order])
      expect(code, order).toBe(report.verdicts[order] === 'safe' ? 0 : 1)
    }
  })

  test.each([
    ['none', 0],
    ['dialect', 1],
    ['effect', 0],
    ['wire', 0],
    ['wording', 1],
    ['wire,wording', 1],
  ])('--fail-on %s exits with %i where a description changed', async (classes, expected) => {
    const folder = repository({ 'definitions/x.ts': x('a: Type.String(),') })
    fill(folder, { 'definitions/x.ts': x("a: Type.String({ description: 'New.' }),") })
    expect((await callsheet(folder, ['diff', '--against', 'HEAD', '--fail-on', classes])).code).toBe(expected)
  })

  test.each([
    [['diff'], /needs something to compare with/],
    [['diff', '--against', 'HEAD', '--fail-on', 'wrie'], /unknown class "wrie"\. Did you mean "?wire/],
    [['diff', '--against', 'HEAD', '--order', 'sideways'], /sideways/],
    [['diff', '--against', 'HEAD', '--format', 'xml'], /xml/],
    [['diff', '--against', 'HEAD', '--vessels', 'nowhere'], /no folder/],
  ])('%j is wrong usage, code 2', async (args, message) => {
    const folder = repository({ 'definitions/x.ts': x('') })
    const { code, err } = await callsheet(folder, args)
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(message) })
  })

  test('definitions that are wrong now cannot be compared: code 2, with every fault', async () => {
    const folder = repository({ 'definitions/x.ts': x('') })
    fill(folder, { 'definitions/x.ts': x('a: 5 as never,') })
    const { code, err } = await callsheet(folder, ['diff', '--against', 'HEAD'])
    expect(code).toBe(2)
    expect(err).toMatch(/definitions\/x\.ts/)
  })
})

describe('DIFF-4: renamed parameters', () => {
  const titles = async (was: string, is: string): Promise<string[]> => {
    const options = "description: 'Made for a test.', additionalProperties: false"
    const folder = repository({ 'definitions/x.ts': definitions({ x: { parameters: was, options } }) })
    fill(folder, { 'definitions/x.ts': definitions({ x: { parameters: is, options } }) })
    const { sets } = await diff({ cwd: folder, against: 'HEAD', config: { dialects: [] } })
    const changes = sets.flatMap((set) => set.changes).filter((change) => change.class === 'wire')
    expect(changes.some(({ verdicts }) => verdicts.together === 'breaks')).toBe(true)
    return changes.map(({ title }) => title)
  }

  test('one that went and one that came and are alike are one change', async () => {
    expect(await titles('a: Type.String({ maxLength: 5 }),', 'b: Type.String({ maxLength: 5 }),')).toEqual([
      'Parameter `a` renamed to `b`.',
    ])
    const said = (name: string, text: string): string => `${name}: Type.String({ description: '${text}' }),`
    expect(
      await titles(
        said('from', 'Start.') + said('to', 'End.'),
        said('origin', 'Start.') + said('goal', 'End.'),
      ),
    ).toEqual(['Parameter `to` renamed to `goal`.', 'Parameter `from` renamed to `origin`.'])
  })

  test('others stay two changes', async () => {
    expect(await titles('a: Type.String(),', 'b: Type.Integer(),')).toHaveLength(2)
    expect(
      await titles('a: Type.String(), b: Type.String(),', 'c: Type.String(), d: Type.String(),'),
    ).toHaveLength(4)
  })
})

describe('DIFF-4: exceptions', () => {
  test('excuse a change by its id, with a reason, and go stale once it is part of what is compared with', async () => {
    const open = await diff({ cwd: changedProject(), against: 'HEAD' })
    expect(open.ok).toBe(false)
    const exceptions = open.sets
      .flatMap(({ changes }) => changes)
      .filter((change) => change.class === 'wire')
      .map(({ id }) => ({ change: id, reason: 'Agreed.' }))
    const excused = await diff({ cwd: changedProject({ exceptions }), against: 'HEAD' })
    expect(excused.ok).toBe(true)
    expect(excused.verdicts.together).toBe('safe')
    expect(excused.staleExceptions).toEqual([])
    expect(
      excused.sets[0]?.changes
        .filter((change) => change.class === 'wire')
        .every((change) => change.excused === 'Agreed.'),
    ).toBe(true)

    const over = repository({
      'definitions/tools.ts': after,
      'callsheet.config.json': JSON.stringify({ exceptions }),
    })
    const { code, out } = await callsheet(over, ['diff', '--against', 'HEAD'])
    expect(code).toBe(0)
    expect(out).toMatch(/no longer match a change/)
    for (const { change } of exceptions) expect(out).toContain(change)
  })

  test('have an id for each change: a Tool that a dialect loses two like keywords of', async () => {
    const parameters = 'a: Type.String(), b: Type.String(),'
    const folder = repository({ 'definitions/tools.ts': definitions({ x: { parameters } }) })
    const limited = parameters.replaceAll('String()', 'String({ maxLength: 5 })')
    fill(folder, { 'definitions/tools.ts': definitions({ x: { parameters: limited } }) })
    const { sets } = await diff({ cwd: folder, against: 'HEAD' })
    const ids = sets.flatMap(({ changes }) => changes.map(({ id }) => id))
    expect(ids.filter((id) => id.startsWith('dialect:x/openai/maxLength:'))).toHaveLength(2)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('do not excuse another change of the same place', async () => {
    const one = definitions({ x: { parameters: 'a: Type.String(),' } })
    const change = async (is: string, config: object) => {
      const folder = repository({ 'definitions/x.ts': one, 'callsheet.config.json': JSON.stringify(config) })
      fill(folder, { 'definitions/x.ts': definitions({ x: { parameters: is } }) })
      return diff({ cwd: folder, against: 'HEAD' })
    }
    const first = await change('a: Type.String({ maxLength: 5 }),', {})
    const exceptions = first.sets.flatMap(({ changes }) =>
      changes.map(({ id }) => ({ change: id, reason: 'r' })),
    )
    expect((await change('a: Type.String({ maxLength: 5 }),', { exceptions })).ok).toBe(true)
    const other = await change('a: Type.String({ maxLength: 4 }),', { exceptions })
    expect(other.ok).toBe(false)
    expect(other.staleExceptions.length).toBeGreaterThan(0)
  })
})

describe('DIFF-4, DIFF-5: several sets', () => {
  const one = { definitions: 'one', output: 'g1' }
  const two = { definitions: 'two', output: 'g2' }
  const inTwo = (is: string, ofTwo: object, common: object = {}) => {
    const tool = (parameters: string) => definitions({ x: { parameters, options: "description: 'Does x.'" } })
    const folder = repository({
      'one/x.ts': tool('a: Type.String(),'),
      'two/x.ts': tool('a: Type.String(),'),
      'callsheet.config.json': JSON.stringify({ ...common, sets: [one, { ...two, ...ofTwo }] }),
    })
    fill(folder, { 'two/x.ts': tool(is) })
    return folder
  }
  const short = 'a: Type.String({ maxLength: 5 }),'

  test('an exception counts in its own set, and one that sets share is stale only if no set needs it', async () => {
    const open = await diff({ cwd: inTwo(short, {}), against: 'HEAD' })
    expect(open.ok).toBe(false)
    const exceptions = open.sets.flatMap(({ changes }) =>
      changes.map(({ id: change }) => ({ change, reason: 'r' })),
    )
    for (const project of [inTwo(short, { exceptions }), inTwo(short, {}, { exceptions })]) {
      expect(await diff({ cwd: project, against: 'HEAD' })).toMatchObject({ ok: true, staleExceptions: [] })
    }
    const other = inTwo(short, {}, {})
    fill(other, {
      'callsheet.config.json': JSON.stringify({ sets: [{ ...one, exceptions }, two] }),
    })
    expect(await diff({ cwd: other, against: 'HEAD' })).toMatchObject({
      ok: false,
      staleExceptions: exceptions,
    })
  })

  test('a Vessel is judged by the set that it was made with', async () => {
    const folder = inTwo(short, {})
    const vessel = (parameter: object) => ({
      schema: {
        properties: {
          calls: {
            items: {
              anyOf: [
                {
                  type: 'object',
                  description: 'Does x.',
                  properties: { _tool: { type: 'string', const: 'x' }, a: parameter },
                  required: ['_tool', 'a'],
                },
              ],
            },
          },
        },
      },
      context: [],
      solution: { calls: [{ _tool: 'x', a: 'longer than five' }] },
    })
    fill(folder, {
      'runs/one.json': JSON.stringify(vessel({ type: 'string' })),
      'runs/two.json': JSON.stringify(vessel({ type: 'string', maxLength: 5 })),
    })
    const { vessels } = await diff({ cwd: folder, against: 'HEAD', vessels: join(folder, 'runs') })
    expect(vessels).toMatchObject([{ file: 'two.json', refused: [{ tool: 'x' }], askAgain: [] }])
  })
})

describe('DIFF-5: recorded Vessels are evidence', () => {
  const branch = (name: string, properties: Record<string, object>, description: string) => ({
    type: 'object',
    description,
    properties: { _tool: { type: 'string', const: name }, ...properties },
    required: ['_tool', ...Object.keys(properties)],
    additionalProperties: false,
  })
  const vessel = (calls: readonly object[]) => ({
    schema: {
      type: 'object',
      properties: {
        calls: {
          type: 'array',
          items: {
            anyOf: [
              branch('find', { query: { type: 'string' } }, 'Finds.'),
              branch('send', { text: { type: 'string' } }, 'Sends.'),
            ],
          },
        },
      },
    },
    context: [],
    solution: { calls },
  })
  const tools = (query: string, sends: string): string =>
    definitions({
      find: { parameters: `query: ${query},`, options: "description: 'Finds.'" },
      send: { parameters: 'text: Type.String(),', options: `description: '${sends}'` },
    })
  const recorded = {
    'runs/ok.json': `\uFEFF${JSON.stringify(vessel([{ _tool: 'find', query: 'short' }]))}`,
    'runs/deep/long.json': JSON.stringify(vessel([{ _tool: 'find', query: 'much too long' }])),
    'runs/gone.json': JSON.stringify(vessel([{ _tool: 'gone' }])),
    'runs/reference.json': JSON.stringify(vessel([{ _tool: 'find', query: '†state.a.very.long.reference' }])),
    'runs/other.json': '{"something":"else"}',
    'runs/readme.txt': 'no JSON',
  }
  const evidence = async (definitionsNow: string, files: Record<string, string> = recorded) => {
    const folder = repository({ 'definitions/tools.ts': tools('Type.String()', 'Sends.'), ...files })
    fill(folder, { 'definitions/tools.ts': definitionsNow })
    // A circle of links: every recording is read once.
    symlinkSync(join(folder, 'runs'), join(folder, 'runs/circle'), 'junction')
    return (await diff({ cwd: folder, against: 'HEAD', vessels: 'runs' })).vessels
  }

  test('which answers the contract refuses now, by Tool, and that References are not judged', async () => {
    const found = await evidence(tools('Type.String({ maxLength: 10 })', 'Sends.'))
    const refused = Object.fromEntries(found.map((each) => [each.file, each.refused.map(({ tool }) => tool)]))
    expect(refused).toEqual({
      'deep/long.json': ['find'],
      'gone.json': ['gone'],
      'ok.json': [],
      'reference.json': [],
    })
    expect(found.find(({ file }) => file === 'ok.json')?.askAgain).toEqual(['find'])
  })

  test('a Tool that was offered, not chosen, and is reworded needs no new answer', async () => {
    const [, ok] = await evidence(tools('Type.String()', 'Sends a text.'), {
      'runs/a.json': JSON.stringify(vessel([{ _tool: 'send', text: 'x' }])),
      'runs/b.json': JSON.stringify(vessel([{ _tool: 'find', query: 'x' }])),
    })
    expect(ok).toMatchObject({ file: 'b.json', refused: [], askAgain: [], offeredOtherwise: ['send'] })
  })

  test('nothing is said where nothing changed for them', async () => {
    const { 'runs/gone.json': _, ...others } = recorded
    expect(await evidence(tools('Type.String()', 'Sends.'), others)).toEqual([])
  })

  test.each<[string, string, RegExp]>([
    ['is broken JSON', '{', /^x\.json is not JSON/],
    [
      'has no schema for its schema',
      JSON.stringify(vessel([])).replace('"required":["_tool","query"]', '"required":"query"'),
      /^x\.json has an invalid schema/,
    ],
  ])('a file that %s is named', async (_what, text, message) => {
    await expect(evidence(tools('Type.String()', 'Sends.'), { 'runs/x.json': text })).rejects.toMatchObject({
      code: 'invalid_usage',
      message: expect.stringMatching(message),
    })
  })

  test('a folder with the name of a file is none', async () => {
    const { 'runs/ok.json': ok } = recorded
    const files = { 'runs/some.json/ok.json': ok }
    expect(await evidence(tools('Type.String()', 'Sends.'), files)).toEqual([])
  })
})
