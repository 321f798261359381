import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { check, generate, type Machinery } from '../../codegen/generate.ts'
import { loadPhases, type Phases } from '../../codegen/pipeline.ts'
import { realFileSystem } from '../../codegen/write/file-system.ts'
import { defaultPatience } from '../../codegen/write/lock.ts'
import { definition, project } from '../unit/codegen/cli/in-terminal.ts'
import { contents } from '../unit/codegen/write/temporary-folder.ts'

/** The generator, with something that happens at one moment of its work. */
function machineryWith(moments: Partial<Record<keyof Phases, () => void>>): Machinery {
  return {
    fileSystem: realFileSystem,
    patience: defaultPatience,
    phases: async () => {
      const phases = await loadPhases()
      return {
        async load(settings) {
          const loaded = await phases.load(settings)
          moments.load?.()
          return loaded
        },
        build(loaded) {
          moments.build?.()
          return phases.build(loaded)
        },
        check(built) {
          moments.check?.()
          return phases.check(built)
        },
        emit(checked) {
          moments.emit?.()
          return phases.emit(checked)
        },
      }
    },
  }
}

test.each(['load', 'build', 'check', 'emit'] as const)(
  'GEN-3 a definition that is saved while the generator is at "%s": one of the two, whole; then it is seen',
  async (moment) => {
    const folder = project({ 'definitions/a.ts': definition('a', 'before') })
    const save = () => writeFileSync(join(folder, 'definitions/a.ts'), definition('a', 'after'))
    await generate({ cwd: folder }, machineryWith({ [moment]: save }))
    const text = contents(folder)['generated/tools/a.ts'] ?? ''
    expect(text.includes('before') !== text.includes('after')).toBe(true)

    expect((await check({ cwd: folder })).ok).toBe(text.includes('after'))
    await generate({ cwd: folder })
    expect(contents(folder)['generated/tools/a.ts']).toContain('after')
    expect(await check({ cwd: folder })).toMatchObject({ ok: true, changes: [] })
  },
)

test('GEN-4 a definition that is cut short while it is read: a finding with its place, and nothing is written', async () => {
  const folder = project({ 'definitions/a.ts': definition('a') })
  await generate({ cwd: folder })
  const before = contents(join(folder, 'generated'))
  const whole = definition('a', 'other')
  for (const length of [1, 40, Math.floor(whole.length / 2), whole.length - 4]) {
    writeFileSync(join(folder, 'definitions/a.ts'), whole.slice(0, length))
    const report = await generate({ cwd: folder })
    expect(report.ok, `${length} characters`).toBe(false)
    expect(report.findings[0]?.at?.file).toBe('definitions/a.ts')
    expect(contents(join(folder, 'generated'))).toEqual(before)
  }
})
