import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { GeneratedFile } from '../../../../codegen/model.ts'
import { type FileSystem, realFileSystem } from '../../../../codegen/write/file-system.ts'
import { writeFiles } from '../../../../codegen/write/write.ts'
import { source, withManifest } from './generated-files.ts'
import { contents, fill, temporaryFolder, times } from './temporary-folder.ts'

const two = withManifest(source('a.ts', 'export const a = 1'), source('tools/b.ts', 'export const b = 1'), {
  path: 'schema.json',
  text: '{}\n',
})

function textsOf(files: readonly GeneratedFile[]): Record<string, string> {
  return Object.fromEntries(files.map((file) => [file.path, file.text]))
}

function write(folder: string, files: readonly GeneratedFile[], fileSystem: FileSystem = realFileSystem) {
  const patience = { wait: 200, stale: 60_000 }
  return writeFiles(files, { absolute: join(folder, 'out'), shown: 'out' }, fileSystem, patience)
}

describe('GEN-3: writing', () => {
  test('makes the folder hold exactly the files', async () => {
    const folder = temporaryFolder()
    const plan = await write(folder, two)
    expect(contents(join(folder, 'out'))).toEqual(textsOf(two))
    expect(plan.changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'added a.ts',
      'added schema.json',
      'added tools/b.ts',
      'added manifest.json',
    ])
  })

  test('a run that changes nothing touches neither file nor folder', async () => {
    const folder = temporaryFolder()
    await write(folder, two)
    const before = times(join(folder, 'out'))
    await new Promise((done) => setTimeout(done, 20))
    const plan = await write(folder, two)
    expect(times(join(folder, 'out'))).toEqual(before)
    expect(plan).toMatchObject({ changes: [], unchanged: 4 })
  })

  test('a change touches the changed file alone', async () => {
    const folder = temporaryFolder()
    await write(folder, two)
    const before = times(join(folder, 'out'))
    await new Promise((done) => setTimeout(done, 20))
    const changed = two.map((file) => (file.path === 'a.ts' ? source('a.ts', 'export const a = 2') : file))
    await write(folder, changed)
    const after = times(join(folder, 'out'))
    expect(
      Object.keys(after).filter((path) => path.includes('.') && path !== '.' && after[path] !== before[path]),
    ).toEqual(['a.ts'])
  })

  test('line endings that git has changed are no difference', async () => {
    const folder = temporaryFolder()
    await write(folder, two)
    const crlf = source('a.ts', 'export const a = 1').text.replaceAll('\n', '\r\n')
    fill(folder, { 'out/a.ts': crlf })
    const plan = await write(folder, two)
    expect(plan.changes).toEqual([])
    expect(contents(join(folder, 'out'))['a.ts']).toBe(crlf)
  })
})

describe('GEN-5: files that are not the generator’s', () => {
  const strangers: { title: string; path: string; text: string; files: readonly GeneratedFile[] }[] = [
    {
      title: 'a TypeScript file without the header',
      path: 'a.ts',
      text: 'export const mine = 1\n',
      files: two,
    },
    { title: 'JSON that no manifest lists', path: 'schema.json', text: '{"mine":1}\n', files: two },
    { title: 'another tool’s manifest.json', path: 'manifest.json', text: '{"name":"my app"}\n', files: two },
  ]
  test.each(strangers)('$title is an error and nothing is written', async ({ path, text, files }) => {
    const folder = temporaryFolder()
    fill(folder, { [`out/${path}`]: text })
    const plan = await write(folder, files)
    expect(plan.findings).toMatchObject([
      { rule: 'foreign-file', severity: 'error', at: { file: `out/${path}`, line: 1, column: 1 } },
    ])
    expect(contents(join(folder, 'out'))).toEqual({ [path]: text })
  })

  test('a map that the manifest lists is the generator’s: no header can stand in it', async () => {
    const folder = temporaryFolder()
    const withMap = (mappings: string) => withManifest({ path: 'types.d.ts.map', text: mappings })
    await write(folder, withMap('{"mappings":"A"}'))
    const { findings, changes } = await write(folder, withMap('{"mappings":"B"}'))
    expect(findings).toEqual([])
    expect(changes).toMatchObject([{ kind: 'changed', path: 'types.d.ts.map' }])
    expect(contents(join(folder, 'out'))['types.d.ts.map']).toBe('{"mappings":"B"}')
  })

  test('every stranger is reported at once', async () => {
    const folder = temporaryFolder()
    fill(folder, { 'out/a.ts': 'mine', 'out/tools/b.ts': 'mine too' })
    const { findings } = await write(folder, two)
    expect(findings.map((finding) => finding.at?.file)).toEqual(['out/a.ts', 'out/tools/b.ts'])
  })

  test('a stranger of the same bytes is not in the way', async () => {
    const folder = temporaryFolder()
    fill(folder, { 'out/schema.json': '{}\n' })
    const { findings } = await write(folder, two)
    expect(findings).toEqual([])
  })

  test('a folder, a link or a file in place of a folder is an error', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'out/a.ts'), { recursive: true })
    mkdirSync(join(folder, 'elsewhere'))
    fill(folder, { 'mine.json': '{}' })
    symlinkSync(join(folder, 'mine.json'), join(folder, 'out/schema.json'))
    expect((await write(folder, two)).findings.map((finding) => finding.at?.file)).toEqual([
      'out/a.ts',
      'out/schema.json',
    ])
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'out/tools'))
    expect((await write(folder, two)).findings.map((finding) => finding.at?.file)).toEqual(['out/tools'])
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual([])
  })

  test('an output folder that is a file is an error', async () => {
    const folder = temporaryFolder()
    fill(folder, { out: 'mine' })
    expect((await write(folder, two)).findings).toMatchObject([{ rule: 'foreign-file', at: { file: 'out' } }])
  })

  test('other files in the folder are left alone', async () => {
    const folder = temporaryFolder()
    fill(folder, { 'out/notes.md': 'mine', 'out/tools/mine.ts': 'mine', 'out/extra.json': '{}' })
    await write(folder, two)
    await write(folder, withManifest())
    expect(Object.keys(contents(join(folder, 'out'))).sort()).toEqual([
      'extra.json',
      'manifest.json',
      'notes.md',
      'tools/mine.ts',
    ])
  })

  test('a manifest cannot have files outside the folder removed', async () => {
    const folder = temporaryFolder()
    const listed = ['../mine.json', 'x/../../mine.json', '/etc/hostname', '..\\mine.json']
    fill(folder, {
      'mine.json': '{}',
      'out/manifest.json': JSON.stringify({ $comment: '@generated by callsheet', files: listed }),
    })
    const plan = await write(folder, two)
    expect(plan.changes.filter((change) => change.kind === 'removed')).toEqual([])
    expect(existsSync(join(folder, 'mine.json'))).toBe(true)
  })
})

describe('GEN-5: files that are no longer needed', () => {
  test('are removed, and the folders that they leave empty', async () => {
    const folder = temporaryFolder()
    await write(folder, two)
    const plan = await write(folder, withManifest(source('a.ts', 'export const a = 1')))
    expect(plan.changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'removed schema.json',
      'removed tools/b.ts',
      'changed manifest.json',
    ])
    expect(Object.keys(contents(join(folder, 'out'))).sort()).toEqual(['a.ts', 'manifest.json'])
  })

  test('stay when their header is gone, with a warning', async () => {
    const folder = temporaryFolder()
    await write(folder, two)
    fill(folder, { 'out/tools/b.ts': 'mine now' })
    const plan = await write(folder, withManifest(source('a.ts', 'export const a = 1')))
    expect(plan.findings).toMatchObject([
      { rule: 'kept-file', severity: 'warning', at: { file: 'out/tools/b.ts' } },
    ])
    expect(contents(join(folder, 'out'))['tools/b.ts']).toBe('mine now')
  })

  test.each([
    { title: 'is missing', manifest: undefined },
    { title: 'has a merge conflict', manifest: '<<<<<<< HEAD\n  "files": [\n    "schema.json",\n=======\n' },
  ])('are found by their header when the manifest $title', async ({ manifest }) => {
    const folder = temporaryFolder()
    await write(folder, two)
    if (manifest === undefined) rmSync(join(folder, 'out/manifest.json'))
    else fill(folder, { 'out/manifest.json': `${two.at(-1)?.text.slice(0, 60)}\n${manifest}` })
    fill(folder, { 'out/mine.ts': 'mine' })
    const kept = [
      source('a.ts', 'export const a = 2'),
      ...(manifest ? [{ path: 'schema.json', text: '[]\n' }] : []),
    ]
    await write(folder, withManifest(...kept))
    const left = Object.keys(contents(join(folder, 'out'))).sort()
    expect(left).toEqual(['a.ts', 'manifest.json', 'mine.ts', 'schema.json'])
  })

  test('are found by their header where a merge kept them, and the manifest is of the other branch', async () => {
    const folder = temporaryFolder()
    await write(folder, two)
    const [left = ''] = ['out/tools/b.ts'].map((path) => readFileSync(join(folder, path), 'utf8'))
    const kept = withManifest(source('a.ts', 'export const a = 1'))
    await write(folder, kept)
    const others = {
      'out/other/manifest.json': '{"files":["b.ts"]}',
      'out/other/b.ts': left,
      'out/mine.ts': 'mine',
    }
    fill(folder, { 'out/tools/b.ts': left, ...others })
    const plan = await write(folder, kept)
    expect(plan.changes).toMatchObject([{ kind: 'removed', path: 'tools/b.ts' }])
    expect(Object.keys(contents(join(folder, 'out'))).sort()).toEqual([
      'a.ts',
      'manifest.json',
      'mine.ts',
      'other/b.ts',
      'other/manifest.json',
    ])
  })

  test('a file whose name changes only in case is written anew', async () => {
    const folder = temporaryFolder()
    await write(folder, withManifest(source('tools/Get.ts', 'export {}')))
    await write(folder, withManifest(source('tools/get.ts', 'export {}')))
    expect(Object.keys(contents(join(folder, 'out'))).sort()).toEqual(['manifest.json', 'tools/get.ts'])
  })
})

describe('a machine that refuses', () => {
  type Failing = 'mkdirSync' | 'writeFileSync' | 'accessSync' | 'renameSync'
  function failing(method: Failing, code: string, when: (path: string) => boolean): FileSystem {
    const fail = (path: unknown): void => {
      if (!when(String(path))) return
      throw Object.assign(new Error(`${code}: refused`), { code })
    }
    return {
      ...realFileSystem,
      [method]: (...args: unknown[]) => {
        fail(args[method === 'renameSync' ? 1 : 0])
        return Reflect.apply(realFileSystem[method], realFileSystem, args)
      },
    }
  }

  test.each([
    { method: 'mkdirSync', code: 'EROFS', when: '', path: 'out', reason: 'the file system is read-only' },
    {
      method: 'writeFileSync',
      code: 'ENOSPC',
      when: 'tools/b.ts',
      path: 'out/tools/b.ts',
      reason: 'the disk is full',
    },
    {
      method: 'accessSync',
      code: 'EACCES',
      when: 'out/tools',
      path: 'out/tools/b.ts',
      reason: 'permission denied',
    },
  ] as const)(
    '$code at $path: the error names path and reason, and nothing has changed',
    async ({ method, code, when, path, reason }) => {
      const folder = temporaryFolder()
      await write(folder, two)
      const before = contents(join(folder, 'out'))
      const changed = withManifest(
        source('a.ts', 'export const a = 2'),
        source('tools/b.ts', 'export const b = 2'),
      )
      const fileSystem = failing(method, code, (at) => at.endsWith(when))
      await expect(write(folder, changed, fileSystem)).rejects.toMatchObject({
        code: 'cannot_write',
        message: expect.stringMatching(
          new RegExp(`Cannot write ${path}: ${reason} \\(${code}\\); nothing was changed`),
        ),
      })
      expect(contents(join(folder, 'out'))).toEqual(before)
    },
  )

  test('a failure while files are moved says that some were replaced, and the next run heals it', async () => {
    const folder = temporaryFolder()
    await write(folder, two)
    const changed = withManifest(
      source('a.ts', 'export const a = 2'),
      source('tools/b.ts', 'export const b = 2'),
    )
    const fileSystem = failing('renameSync', 'EPERM', (at) => at.endsWith('out/tools/b.ts'))
    await expect(write(folder, changed, fileSystem)).rejects.toThrow(/out\/tools\/b\.ts.*already replaced/)
    await write(folder, changed)
    expect(contents(join(folder, 'out'))).toEqual(textsOf(changed))
  })

  // Windows grants by other means than a mode.
  test.skipIf(process.platform === 'win32')('a folder without write permission', async () => {
    const folder = temporaryFolder()
    await write(folder, two)
    chmodSync(folder, 0o755)
    chmodSync(join(folder, 'out'), 0o555)
    const asNobody = process.geteuid?.() === 0
    if (asNobody) process.seteuid?.(65534) // permissions do not bind root
    try {
      await expect(write(folder, withManifest())).rejects.toThrow(
        /^Cannot write out: permission denied \(EACCES\); nothing was changed/,
      )
    } finally {
      if (asNobody) process.seteuid?.(0)
      chmodSync(join(folder, 'out'), 0o755)
    }
    expect(contents(join(folder, 'out'))).toEqual(textsOf(two))
  })

  test('a file on the way to the output folder', async () => {
    const folder = temporaryFolder()
    fill(folder, { mine: '' })
    const output = { absolute: join(folder, 'mine/out'), shown: 'mine/out' }
    await expect(writeFiles(two, output, realFileSystem)).rejects.toThrow(
      /^Cannot write mine\/out: a part of the path is a file.*ENOTDIR/,
    )
  })
})

test('the output folder itself may be a link', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'real'))
  symlinkSync(join(folder, 'real'), join(folder, 'out'))
  await write(folder, two)
  expect(realpathSync(join(folder, 'out'))).toBe(join(folder, 'real'))
  expect(contents(join(folder, 'real'))).toEqual(textsOf(two))
})

test('a link to nowhere as the output folder is named as a reason', async () => {
  const folder = temporaryFolder()
  symlinkSync(join(folder, 'nowhere'), join(folder, 'out'))
  await expect(write(folder, two)).rejects.toThrow(
    /^Cannot write out: .*a link on its path leads nowhere \(ENOENT\); nothing was changed/,
  )
})
