import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { GeneratedFile } from '../../codegen/model.ts'
import { type FileSystem, realFileSystem } from '../../codegen/write/file-system.ts'
import { planWrite } from '../../codegen/write/plan.ts'
import { writeFiles } from '../../codegen/write/write.ts'
import { source, withManifest } from '../unit/codegen/write/generated-files.ts'
import { contents, temporaryFolder } from '../unit/codegen/write/temporary-folder.ts'

const version = (number: number): GeneratedFile[] =>
  withManifest(
    source('a.ts', `export const a = ${number}`),
    source('tools/b.ts', `export const b = ${number}`),
    source(`tools/only-in-${number}.ts`, ''),
    { path: `composed/${number}.json`, text: `{"version":${number}}\n` },
  )

/** The operations that change a disk; each may be the one for which there is no more room. */
const changing = ['mkdirSync', 'writeFileSync', 'renameSync', 'unlinkSync', 'rmdirSync'] as const

/** A file system on which the operations from the `last` on fail, and how many there were. */
function failingAfter(last: number, code: string): { readonly fileSystem: FileSystem; count(): number } {
  let count = 0
  const methods = changing.map((method) => [
    method,
    (...args: unknown[]) => {
      count++
      // What is written to a full disk is cut short, not absent.
      if (count > last && method === 'writeFileSync' && code === 'ENOSPC') {
        realFileSystem.writeFileSync(String(args[0]), String(args[1]).slice(0, 3))
      }
      if (count > last) throw Object.assign(new Error(`${code}: refused`), { code })
      return Reflect.apply(realFileSystem[method], realFileSystem, args)
    },
  ])
  return { fileSystem: { ...realFileSystem, ...Object.fromEntries(methods) }, count: () => count }
}

const patience = { wait: 60, stale: 0 }

test.each(['ENOSPC', 'EROFS', 'EIO'])(
  'GEN-4 %s from any operation on: whole files, an error that says so, a check that tells the truth, a next run that heals',
  async (code) => {
    const output = { absolute: join(temporaryFolder(), 'out'), shown: 'out' }
    const [before, after] = [version(1), version(2)]
    const whole = new Set([...before, ...after].map(({ path, text }) => `${path}\n${text}`))
    let failures = 0
    for (let last = 0; ; last++) {
      await writeFiles(before, output, realFileSystem, patience)
      const { fileSystem, count } = failingAfter(last, code)
      const failed = await writeFiles(after, output, fileSystem, patience).then(
        () => undefined,
        (error: unknown) => error,
      )
      if (count() <= last) break
      const left = Object.entries(contents(output.absolute)).filter(
        ([path]) => !path.startsWith('.callsheet-run'),
      )
      for (const [path, text] of left) {
        if (!path.endsWith('/'))
          expect(whole, `${path} after operation ${last}`).toContain(`${path}\n${text}`)
      }
      const isDone = JSON.stringify(Object.fromEntries(left)) === JSON.stringify(sorted(after))
      expect(planWrite(after, output, realFileSystem).changes.length === 0).toBe(isDone)
      if (failed) {
        failures++
        expect(failed).toMatchObject({ code: 'cannot_write', message: expect.stringContaining(code) })
      }
    }
    expect(failures).toBeGreaterThan(5)
    await writeFiles(after, output, realFileSystem, patience)
    expect(contents(output.absolute)).toEqual(sorted(after))
  },
)

function sorted(files: readonly GeneratedFile[]): Record<string, string> {
  return Object.fromEntries(
    files.map(({ path, text }) => [path, text] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}
