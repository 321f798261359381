import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commands } from '../../../../codegen/cli/commands.ts'
import { wantsColours } from '../../../../codegen/cli/style.ts'
import { fill, temporaryFolder } from '../write/temporary-folder.ts'
import { callsheet } from './in-terminal.ts'

describe('help', () => {
  test.each([[['--help']], ...Object.keys(commands).map((name) => [[name, '--help']])])(
    'callsheet %j',
    async (args) => {
      const { code, out, err } = await callsheet('/', args)
      await expect(out).toMatchFileSnapshot(
        `golden/help-${args.join('-').replace(/-*--help/, '') || 'general'}.txt`,
      )
      expect({ code, err }).toEqual({ code: 0, err: '' })
    },
  )

  test('has lines that fit a terminal of 120 columns', async () => {
    const texts = await Promise.all(
      [['--help'], ...Object.keys(commands).map((name) => [name, '-h'])].map((args) => callsheet('/', args)),
    )
    const long = texts.flatMap(({ out }) => out.split('\n')).filter((line) => line.length > 120)
    expect(long).toEqual([])
  })

  test('is shown for `help <command>`, and whatever else is wrong with the line', async () => {
    const { out } = await callsheet('/', ['generate', '--help'])
    expect((await callsheet('/', ['help', 'generate'])).out).toBe(out)
    expect((await callsheet('/', ['generate', '--nonsense', '-h'])).out).toBe(out)
  })

  test('without a command goes to standard error, exit code 2', async () => {
    const { code, out, err } = await callsheet('/', [])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('callsheet <command>')
  })

  test('--version prints the version alone', async () => {
    expect(await callsheet('/', ['--version'])).toEqual({
      code: 0,
      out: expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/),
      err: '',
    })
  })
})

describe('GEN-4: wrong usage exits with 2, says everything at once, and what was meant', () => {
  const cases: { args: string[]; want: string[] }[] = [
    {
      args: ['generat'],
      want: [
        'Unknown command "generat". Did you mean "generate"?',
        'Commands: init, generate, scaffold, lint, diff, explain, find, serve, studio, call, completion, import.',
      ],
    },
    { args: ['constructor'], want: ['Unknown command "constructor".'] },
    { args: ['__proto__'], want: ['Unknown command "__proto__".'] },
    { args: ['--check', 'generate'], want: ['Option --check stands before the command.'] },
    {
      args: ['generate', '--chekc'],
      want: ['Unknown option --chekc. Did you mean --check?', 'callsheet generate --help'],
    },
    { args: ['generate', '-x'], want: ['Unknown option -x.'] },
    { args: ['generate', '--toString'], want: ['Unknown option --toString.'] },
    { args: ['generate', '--check=yes'], want: ['Option --check takes no value, got "yes".'] },
    { args: ['generate', '--config'], want: ['Option --config needs a value: FILE.'] },
    {
      args: ['generate', '--config', '--check'],
      want: ['Option --config needs a value: FILE, got the option --check.', 'or --config=--check where'],
    },
    {
      args: ['generate', '--format', 'jsno'],
      want: ['has to be one of text, json, github, got "jsno". Did you mean "json"?'],
    },
    { args: ['generate', 'definitions'], want: ['Unexpected argument "definitions".'] },
    {
      args: ['generate', '--wach', '--frmat', 'x'],
      want: ['Did you mean --watch?', 'Did you mean --format?', 'Unexpected argument "x".'],
    },
    {
      args: ['generate', '--check', '--watch'],
      want: ['--check writes nothing and --watch writes on every change.'],
    },
    { args: ['generate', '--diff'], want: ['--check was not given', 'Add --check.'] },
    { args: ['generate', '-c', 'nope.ts'], want: ['The configuration nope.ts does not exist.'] },
    { args: ['generate', '-c', 'definitions'], want: ['The configuration definitions is a folder.'] },
    { args: ['generate', '--cwd', 'package.json'], want: ['package.json is a file, not a folder.'] },
    { args: ['find', '--eval', 'definitions'], want: ['definitions: it is a folder.'] },
    { args: ['generate', '--cwd', 'nowhere'], want: ['nowhere does not exist.', 'Correct --cwd.'] },
    { args: ['import'], want: ['No file to import was given.'] },
    {
      args: ['import', 'http://127.0.0.1:9/tools'],
      want: ['Let another command fetch it: curl -s http://127.0.0.1:9/tools | callsheet import -'],
    },
    { args: ['x'.repeat(5000)], want: [`Unknown command "${'x'.repeat(58)}….`] },
    { args: ['import', 'x'.repeat(5000)], want: [`Cannot read ${'x'.repeat(199)}…: `] },
    {
      args: ['import', 'a.json', 'b.json'],
      want: ['Cannot read a.json: it does not exist.', 'Cannot read b.json: it does not exist.'],
    },
  ]
  const folder = () => {
    const made = temporaryFolder()
    fill(made, { 'package.json': '{}', 'definitions/a.ts': '' })
    return made
  }
  test.each(cases)('callsheet $args', async ({ args, want }) => {
    const { code, out, err } = await callsheet(folder(), args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    for (const part of want) expect(err).toContain(part)
  })

  test.each([
    [
      'a proxy',
      'export default new Proxy({}, { ownKeys() { throw new Error("mine") } })',
      'its default export throws: Error: mine.',
    ],
    [
      'a getter',
      'export default { get output() { throw new Error("mine") } }',
      'its default export throws: Error: mine.',
    ],
    [
      'a circle',
      'const o: any = {}; o.o = o; export default { definitions: o }',
      'Option "definitions" has to be a relative path',
    ],
  ])('a configuration that is %s', async (_, text, want) => {
    const root = temporaryFolder()
    fill(root, { 'package.json': '{}', 'callsheet.config.ts': text })
    const { code, err } = await callsheet(root, ['generate'])
    expect(code).toBe(2)
    expect(err).toContain(want)
    expect(err).not.toContain('Callsheet itself failed')
  })

  test('a link among the definitions that leads to itself is named', async () => {
    const root = folder()
    symlinkSync('loop.ts', join(root, 'definitions', 'loop.ts'))
    const { code, err } = await callsheet(root, ['generate'])
    expect(code).toBe(2)
    expect(err).toMatch(
      /^error Cannot read or write .*loop\.ts: ELOOP[^\n]*\n {2}fix: Give this user access to it, or move it away/,
    )
  })

  test('CLI-1 each of several problems says that it is an error, and is an annotation of its own', async () => {
    const { err, out } = await callsheet(folder(), ['generate', '--nope', '--tow', '--format=github'])
    expect(err.match(/^error Unknown option --\w+\.$/gm)).toEqual([
      'error Unknown option --nope.',
      'error Unknown option --tow.',
    ])
    expect(out.match(/^::error title=callsheet::Unknown option --\w+\.%0A {2}fix: [^\n]*$/gm)).toHaveLength(2)
  })

  test('as JSON on standard output when that was asked for', async () => {
    const { code, out } = await callsheet(temporaryFolder(), [
      'generate',
      '--format=json',
      '--cwd',
      'nowhere',
    ])
    expect(code).toBe(2)
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      error: { code: 'invalid_usage', faults: [{ fix: 'Correct --cwd.' }] },
    })
  })

  test('as a GitHub annotation when that was asked for', async () => {
    const { out } = await callsheet(temporaryFolder(), ['generate', '--format', 'github', '--cwd', 'nowhere'])
    expect(out).toMatch(/^::error title=callsheet::.*%0A {2}fix: Correct --cwd\.\n$/)
  })
})

describe('colours', () => {
  const cases: { isTTY: boolean; env: Record<string, string>; want: boolean }[] = [
    { isTTY: true, env: {}, want: true },
    { isTTY: false, env: {}, want: false },
    { isTTY: true, env: { NO_COLOR: '1' }, want: false },
    { isTTY: true, env: { NO_COLOR: '' }, want: true },
    { isTTY: true, env: { TERM: 'dumb' }, want: false },
    { isTTY: false, env: { FORCE_COLOR: '1' }, want: true },
  ]
  test.each(cases)('$isTTY, $env: $want', ({ isTTY, env, want }) => {
    expect(wantsColours({ isTTY, env })).toBe(want)
  })

  test('mark up people’s text only', async () => {
    const { out, err } = await callsheet(
      temporaryFolder(),
      ['generate', '--cwd', 'nowhere', '--format', 'json'],
      { colours: true },
    )
    expect(err).toContain('\x1b[31m')
    expect(out).not.toContain('\x1b')
  })
})
