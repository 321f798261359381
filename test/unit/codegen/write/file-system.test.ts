import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  type FileSystem,
  patientFileSystem,
  realFileSystem,
  remove,
} from '../../../../codegen/write/file-system.ts'
import { patiently } from '../../../../codegen/write/patiently.ts'
import { writeFiles } from '../../../../codegen/write/write.ts'
import { source, withManifest } from './generated-files.ts'
import { contents, fill, temporaryFolder } from './temporary-folder.ts'

const failure = (code: string) => Object.assign(new Error(`${code}: refused`), { code })

/** A function that fails so often before it answers. */
function failing(times: number, code: string): (text: string) => string {
  let left = times
  return (text) => {
    if (left-- > 0) throw failure(code)
    return text
  }
}

describe('what another program holds on Windows', () => {
  test.each(['EPERM', 'EACCES', 'EBUSY'])('is tried again at %s, and given up after two seconds', (code) => {
    const waited: number[] = []
    const pause = (milliseconds: number) => void waited.push(milliseconds)
    expect(patiently(failing(3, code), pause)('done')).toBe('done')
    expect(waited).toEqual([5, 10, 20])
    expect(() => patiently(failing(100, code), pause)('done')).toThrow(code)
    expect(waited.slice(3).reduce((sum, milliseconds) => sum + milliseconds)).toBe(2_000)
  })

  test('any other failure is no reason to wait', () => {
    const pause = () => expect.unreachable()
    expect(() => patiently(failing(1, 'ENOENT'), pause)('done')).toThrow('ENOENT')
  })

  test('GEN-4 stands in no way of a run, whichever file it is and whatever is done to it', async () => {
    const output = { absolute: join(temporaryFolder(), 'out'), shown: 'out' }
    const seen = new Set<string>()
    const methods = [
      'lstatSync',
      'mkdirSync',
      'readFileSync',
      'renameSync',
      'rmdirSync',
      'statSync',
      'unlinkSync',
      'writeFileSync',
    ] as const
    const held = methods.map((method) => [
      method,
      (...args: unknown[]) => {
        const what = `${method} ${String(args[0]).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '')}`
        if (!seen.has(what)) {
          seen.add(what)
          throw failure('EBUSY')
        }
        return Reflect.apply(realFileSystem[method], realFileSystem, args)
      },
    ])
    const fileSystem: FileSystem = patientFileSystem({ ...realFileSystem, ...Object.fromEntries(held) })
    await writeFiles(withManifest(source('a.ts', 'a'), source('tools/b.ts', 'b')), output, fileSystem)
    const after = withManifest(source('a.ts', 'c'))
    await writeFiles(after, output, fileSystem)
    expect(contents(output.absolute)).toEqual(Object.fromEntries(after.map(({ path, text }) => [path, text])))
    expect(new Set([...seen].map((what) => what.split(' ')[0]))).toEqual(new Set(methods))
  })
})

test('what is removed is gone with all that it holds, and what it links to stays', () => {
  const folder = temporaryFolder()
  fill(folder, { 'Jürgen/名/a.ts': 'x', 'Jürgen/b.ts': 'x', 'mine/c.ts': 'x' })
  symlinkSync(join(folder, 'mine'), join(folder, 'Jürgen/link'), 'junction')
  mkdirSync(join(folder, 'Jürgen/empty'))
  remove(join(folder, 'Jürgen'), realFileSystem)
  remove(join(folder, 'mine/never'), realFileSystem)
  expect(contents(folder)).toEqual({ 'mine/c.ts': 'x' })
})
