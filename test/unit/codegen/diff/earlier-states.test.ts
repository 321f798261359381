import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { diff } from '../../../../codegen/diff/diff.ts'
import { folderTree } from '../../../../codegen/diff/read/folder-tree.ts'
import { generatedSets } from '../../../../codegen/diff/read/generated-contract.ts'
import { gitTree } from '../../../../codegen/diff/read/git-tree.ts'
import { withFiles } from '../../../../codegen/diff/read/materialise.ts'
import { tarballTree } from '../../../../codegen/diff/read/tarball-tree.ts'
import { callsheet, project } from '../cli/in-terminal.ts'
import { contents, fill, temporaryFolder } from '../write/temporary-folder.ts'
import { commitAll, definitions, git, pack, repository } from './repository.ts'

const before = definitions({
  find: { parameters: 'query: Type.String(), limit: Type.Optional(Type.Integer()),' },
})
const after = definitions({ find: { parameters: 'query: Type.String({ maxLength: 10 }),' } })

/** Titles of what changed since a state. */
async function changes(cwd: string, against: string): Promise<{ from: string; titles: string[] }> {
  const { from, sets } = await diff({ cwd, against, config: { dialects: [] } })
  return {
    from,
    titles: sets.flatMap((set) =>
      set.changes.filter((each) => each.class === 'wire').map(({ title }) => title),
    ),
  }
}

const expected = ['Parameter `limit` removed.', 'Parameter `query`: `maxLength` 10 added.']

describe('DIFF-1: an earlier state is read', () => {
  test('from the generated code of a commit, without running or checking out anything', async () => {
    const folder = repository({ 'definitions/find.ts': before })
    await callsheet(folder, ['generate', '--silent'])
    commitAll(folder)
    fill(folder, { 'definitions/find.ts': after })
    const untouched = { ...contents(folder), '.git/index': '' }
    expect(await changes(folder, 'HEAD')).toEqual({ from: 'generated', titles: expected })
    expect(await changes(folder, 'main')).toEqual({ from: 'generated', titles: expected })
    expect({ ...contents(folder), '.git/index': '' }).toEqual(untouched)
  })

  test('from the definitions of a commit that has no generated code', async () => {
    const folder = repository({ 'definitions/find.ts': before })
    fill(folder, { 'definitions/find.ts': after })
    expect(await changes(folder, 'HEAD')).toEqual({ from: 'definitions', titles: expected })
    const cache = join(folder, 'node_modules/.cache/callsheet')
    expect(existsSync(cache) ? readdirSync(cache).filter((name) => name.startsWith('against')) : []).toEqual(
      [],
    )
  })

  test('from a folder, with generated code and without', async () => {
    const folder = project({ 'definitions/find.ts': after })
    const earlier = project({ 'definitions/find.ts': before })
    expect(await changes(folder, earlier)).toEqual({ from: 'definitions', titles: expected })
    await callsheet(earlier, ['generate', '--silent'])
    rmSync(join(earlier, 'definitions'), { recursive: true })
    expect(await changes(folder, earlier)).toEqual({ from: 'generated', titles: expected })
  })

  test('DIFF-1 from a folder of the project without a package.json, which is not the project itself', async () => {
    const folder = project({ 'definitions/find.ts': after, 'old/definitions/find.ts': before })
    expect(await changes(folder, './old')).toEqual({ from: 'definitions', titles: expected })
    expect(await changes(folder, './')).toEqual({ from: 'definitions', titles: [] })
  })

  test('from a tarball that holds generated code, as sources or compiled', async () => {
    const folder = project({ 'definitions/find.ts': before })
    await callsheet(folder, ['generate', '--silent'])
    const sources = contents(join(folder, 'generated'))
    fill(folder, { 'definitions/find.ts': after })
    const inTarball = (place: string): Record<string, string> =>
      Object.fromEntries(Object.entries(sources).map(([path, text]) => [`${place}/${path}`, text]))
    expect(await changes(folder, pack(folder, inTarball('generated')))).toEqual({
      from: 'generated',
      titles: expected,
    })
    rmSync(join(folder, 'packed'), { recursive: true })
    const { 'dist/generated/schemas.ts': schemas = '' } = inTarball('dist/generated')
    const compiled = execFileSync(
      join(import.meta.dirname, '../../../../node_modules/.bin/esbuild'),
      ['--loader=ts', '--minify-whitespace'],
      {
        input: schemas,
        encoding: 'utf8',
      },
    )
    const built = pack(folder, { 'dist/generated/schemas.js': compiled })
    expect(await changes(folder, built)).toEqual({ from: 'generated', titles: expected })
  })

  test('of a project in a folder of a repository: nothing outside of it counts', async () => {
    const folder = repository({
      'packages/contract/package.json': '{}',
      'packages/contract/definitions/find.ts': before,
      'packages/other/definitions/x.ts': 'throw 1',
    })
    const contract = join(folder, 'packages/contract')
    fill(folder, { 'packages/contract/definitions/find.ts': after })
    expect(await changes(contract, 'HEAD')).toEqual({ from: 'definitions', titles: expected })
  })

  test('of several sets, each by its output folder; a set that moved is recognised', async () => {
    const config = (mail: string): string =>
      JSON.stringify({
        dialects: [],
        sets: [
          { definitions: 'mail', output: `out/${mail}` },
          { definitions: 'shop', output: 'out/shop' },
        ],
      })
    const shop = definitions({ buy: { parameters: 'what: Type.String(),' } })
    const folder = repository({
      'mail/find.ts': before,
      'shop/buy.ts': shop,
      'callsheet.config.json': config('mail'),
    })
    await callsheet(folder, ['generate', '--silent'])
    commitAll(folder)
    fill(folder, { 'mail/find.ts': after, 'callsheet.config.json': config('post') })
    await callsheet(folder, ['generate', '--silent'])
    rmSync(join(folder, 'out/mail'), { recursive: true })
    const { sets } = await diff({ cwd: folder, against: 'HEAD' })
    expect(
      sets.map(({ output, tools, unchanged, changes: found }) => [
        output,
        tools,
        unchanged,
        found.length > 0,
      ]),
    ).toEqual([
      ['out/post', 1, 0, true],
      ['out/shop', 1, 1, false],
    ])
  })
})

describe('what cannot be read says why', () => {
  const now = { 'definitions/find.ts': after }
  const faults = async (folder: string, against: string): Promise<string> => {
    const { code, err } = await callsheet(folder, ['diff', `--against=${against}`])
    expect(code).toBe(2)
    return err
  }

  test('a ref that git does not know, and names that look like options', async () => {
    const folder = repository(now)
    expect(await faults(folder, 'nowhere')).toMatch(
      /nothing to compare with at "nowhere": git knows no commit/,
    )
    expect(await faults(folder, '../nowhere')).toContain(
      `there is no file or folder ${join(folder, '../nowhere')}.`,
    )
    expect(await faults(folder, '--output=evil')).toMatch(/nothing to compare with/)
    expect(existsSync(join(folder, 'evil'))).toBe(false)
  })

  test('a shallow clone that lacks the commit: how to fetch it', async () => {
    const folder = repository(now)
    commitAll(folder)
    const clone = join(temporaryFolder(), 'clone')
    git(folder, 'clone', '--quiet', '--depth', '1', `file://${folder}`, clone)
    symlinkSync(join(folder, 'node_modules'), join(clone, 'node_modules'), 'junction')
    expect(await faults(clone, 'HEAD~1')).toMatch(/fetch-depth: 0/)
    expect((await callsheet(clone, ['diff', '--against', 'HEAD'])).code).toBe(0)
  })

  test('a commit whose objects are damaged', async () => {
    const folder = repository(now)
    const object = git(folder, 'rev-parse', 'HEAD:definitions/find.ts').trim()
    rmSync(join(folder, '.git/objects', object.slice(0, 2), object.slice(2)), { force: true })
    expect(await faults(folder, 'HEAD')).toMatch(/Git cannot read HEAD whole/)
  })

  test.each<[string, (text: string) => string, RegExp]>([
    ['a schema is cut short', (text) => text.replace(/("_tool".{20}).*$/m, "$1'"), /damaged.*schemas\.ts:5/s],
    ['a schema is an open string', (text) => text.replace(/'$/m, ''), /damaged.*schemas\.ts:5/s],
    [
      'a Tool is missing that the manifest lists',
      (text) => text.replace(/^export const Find.*$/m, ''),
      /damaged.*manifest\.json lists "find"/s,
    ],
  ])(
    'generated code in which %s: what cannot be read is not taken for a new Tool',
    async (_what, damage, message) => {
      const folder = repository({
        'definitions/find.ts': before,
        'definitions/other.ts': definitions({ other: { parameters: '' } }),
      })
      await callsheet(folder, ['generate', '--silent'])
      const { 'schemas.ts': whole = '' } = contents(join(folder, 'generated'))
      expect(damage(whole)).not.toBe(whole)
      fill(folder, { 'generated/schemas.ts': damage(whole) })
      commitAll(folder)
      expect(await faults(folder, 'HEAD')).toMatch(message)
    },
  )

  test('a commit with more to read than memory holds: the largest file is named', async () => {
    const folder = repository(now)
    fill(folder, { 'data.json': JSON.stringify('x'.repeat(3 * 1024 * 1024)) })
    commitAll(folder)
    const tree = await gitTree(folder, 'HEAD', 'HEAD', 2 * 1024 * 1024)
    await expect(tree.read(tree.paths)).rejects.toThrow(/over 2 MB.*"data\.json" \(4 MB\)/s)
    expect((await tree.read(['definitions/find.ts'])).size).toBe(1)
  })

  test('a commit whose definitions are wrong and that has no generated code', async () => {
    const folder = repository({ 'definitions/find.ts': 'export const find = 5 +' })
    fill(folder, now)
    expect(await faults(folder, 'HEAD')).toMatch(/HEAD holds no contract|find\.ts/)
  })

  test.each<[string, Buffer, RegExp]>([
    ['text', Buffer.from('not a tarball, and longer than nothing'.repeat(40)), /is not a tarball/],
    ['empty', Buffer.alloc(0), /it holds no file/],
    ['a damaged gzip', Buffer.concat([gzipSync(Buffer.alloc(4096)).subarray(0, 20)]), /is not a tarball/],
    [
      'cut in the middle of a file',
      tar([{ path: 'package/a', text: 'x'.repeat(5000) }]).subarray(0, 1024),
      /in the middle/,
    ],
    [
      'a file of negative or no size',
      tar([{ path: 'package/a', text: 'x', size: '-0000000001\0' }]),
      /is not a tarball|holds no contract/,
    ],
    [
      'without generated code',
      gzipSync(tar([{ path: 'package/definitions/a.ts', text: 'throw 1' }])),
      /never run/,
    ],
  ])('a tarball that is %s', async (_what, bytes, message) => {
    const folder = project(now)
    writeFileSync(join(folder, 'x.tgz'), bytes)
    expect(await faults(folder, 'x.tgz')).toMatch(message)
  })

  test('a tarball that would fill the memory is not unpacked', async () => {
    const folder = project(now)
    const bomb = gzipSync(Buffer.alloc(16 * 1024 * 1024))
    // Members of a gzip file follow one another: 17 of these unpack to more than what is read.
    writeFileSync(join(folder, 'bomb.tgz'), Buffer.concat(Array.from({ length: 17 }, () => bomb)))
    expect(await faults(folder, 'bomb.tgz')).toMatch(/is not a tarball that can be read/)
  })
})

describe('hostile states', () => {
  const registry = (schema: unknown): string =>
    `generatedTool({ text: ${JSON.stringify(JSON.stringify(schema))} })`
  const tool = { type: 'object', properties: { _tool: { const: 'evil' } } }

  test('paths that lead out of a tarball lead nowhere; links and devices are passed over', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'x.tar')
    writeFileSync(
      path,
      tar([
        { path: '../../../escaped/registry.ts', text: registry(tool) },
        { path: 'package/link/registry.ts', text: '', type: '2', link: '/etc/passwd' },
        { path: 'package/device/registry.ts', text: '', type: '3' },
        { path: 'package/good/registry.ts', text: registry(tool) },
      ]),
    )
    const tree = tarballTree(path, 'x.tar')
    expect(tree.paths).not.toContain('link/registry.ts')
    expect(tree.paths).not.toContain('device/registry.ts')
    expect((await generatedSets(tree)).map(({ output }) => output)).toContain('good')
    expect(readdirSync(folder)).toEqual(['x.tar'])
  })

  test('links in a folder and in a commit are not followed', async () => {
    const outside = temporaryFolder()
    fill(outside, { 'registry.ts': registry(tool) })
    const folder = repository({ 'definitions/find.ts': before })
    mkdirSync(join(folder, 'generated'))
    symlinkSync(join(outside, 'registry.ts'), join(folder, 'generated/registry.ts'))
    symlinkSync(outside, join(folder, 'linked'))
    commitAll(folder)
    expect(await generatedSets(folderTree(folder, 'x'))).toEqual([])
    rmSync(join(folder, 'generated'), { recursive: true })
    expect((await changes(folder, 'HEAD')).from).toBe('definitions')
  })

  test('a tree with paths that lead out is not written where they lead', async () => {
    const root = project({})
    const tree = {
      name: 'evil',
      paths: ['../../../../escaped.ts', '/tmp/callsheet-escaped.ts', 'ok.ts'],
      read: async (paths: readonly string[]) => new Map(paths.map((path) => [path, 'x'])),
    }
    const written = await withFiles(tree, root, async (folder) => contents(folder))
    expect(written).toEqual({ 'ok.ts': 'x' })
    expect(existsSync(join(root, 'escaped.ts'))).toBe(false)
    expect(existsSync('/tmp/callsheet-escaped.ts')).toBe(false)
  })

  test.each([
    ['code in a template', 'generatedTool({ text: `\u0024{process.exit(3)}` })'],
    ['an open string', "generatedTool({ text: '{"],
    ['what is no JSON', "generatedTool({ text: '{' })"],
    ['another file of that name', 'export const text = "{}"'],
    ['a schema without a name', registry({ type: 'object' })],
  ])('generated code that holds %s is not run, and gives no Tool', async (_what, text) => {
    const folder = temporaryFolder()
    fill(folder, { 'registry.ts': text })
    expect((await generatedSets(folderTree(folder, 'x'))).flatMap(({ tools }) => tools)).toEqual([])
  })
})

/** A tarball in the making: also of what no packer would write. */
function tar(
  files: readonly { path: string; text: string; type?: string; link?: string; size?: string }[],
): Buffer {
  const parts = files.flatMap(({ path, text, type = '0', link = '', size }) => {
    const header = Buffer.alloc(512)
    header.write(path, 0)
    header.write('0000644\0', 100)
    header.write(size ?? `${Buffer.byteLength(text).toString(8).padStart(11, '0')}\0`, 124)
    header.write(type, 156)
    header.write(link, 157)
    header.write('ustar\0' + '00', 257)
    header.fill(' ', 148, 156)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    const content = Buffer.alloc(Math.ceil(Buffer.byteLength(text) / 512) * 512)
    content.write(text)
    return [header, content]
  })
  return Buffer.concat([...parts, Buffer.alloc(1024)])
}
