import { execFileSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { check, generate, type Machinery } from '../../codegen/generate.ts'
import { loadPhases, type Phases } from '../../codegen/pipeline.ts'
import { realFileSystem } from '../../codegen/write/file-system.ts'
import { defaultPatience } from '../../codegen/write/lock.ts'
import { definition, project } from '../unit/codegen/cli/in-terminal.ts'
import { contents } from '../unit/codegen/write/temporary-folder.ts'

const repository = join(import.meta.dirname, '../..')

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

test('GEN-11 a process that has begun before its code was generated anew runs no Call by the checks of other definitions', async () => {
  const tool = (most: number): string => `import { Type } from 'typebox'
    import { tool } from 'callsheet'
    const numbers = { amount: Type.Number({ maximum: ${most} }), _output: Type.Number() }
    export const pay = tool('pay', numbers)
    export const note = tool('note', { text: Type.String(), _output: Type.String() })`
  const folder = project({
    'definitions/tools.ts': tool(100),
    'run.ts': `import { writeFileSync } from 'node:fs'
      import { generate } from 'callsheet/codegen'
      import { Activity, Tool } from './generated/index.ts'
      Activity.register('pay', ({ amount }) => amount)
      Activity.register('note', ({ text }) => text)
      writeFileSync('definitions/tools.ts', ${JSON.stringify(tool(1000))})
      await generate()
      const calls = [{ _tool: 'note', text: 'a' }, { _tool: 'pay', amount: 500 }] as const
      const ended = await Promise.all(calls.map((call) => Tool.run(call)))
      console.log(JSON.stringify(ended.map(({ status, error }) => error?.code ?? status)))`,
  })
  symlinkSync(repository, join(folder, 'node_modules/callsheet'), 'junction')
  await generate({ cwd: folder })
  const tsx = join(repository, 'node_modules/tsx/dist/cli.mjs')
  const ended = execFileSync(process.execPath, [tsx, 'run.ts'], { cwd: folder, encoding: 'utf8' })
  expect(JSON.parse(ended)).toEqual(['succeeded', 'contract_mismatch'])
})
