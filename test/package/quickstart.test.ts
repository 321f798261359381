import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { freshFolder, pack, readmeFiles, run, writeInto } from './packed.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const files = readmeFiles(readme)

/** The README's quickstart, followed word for word in an empty folder with the packed package. */
describe('the quickstart of the README', () => {
  let folder = ''

  beforeAll(() => {
    folder = freshFolder({
      'package.json': '{ "name": "quickstart", "private": true, "type": "module" }',
      'tsconfig.json': readmeTsconfig(),
    })
    const installed = run(
      folder,
      'npm',
      'install',
      '--silent',
      '--no-audit',
      pack(),
      'typebox@1.4.3',
      'typescript@7.0.2',
      'tsx@4.23.15',
      '@types/node@20',
    )
    expect(installed.stderr.replaceAll(/^npm warn.*$/gm, '').trim()).toBe('')
    expect(installed.code).toBe(0)
    writeInto(folder, { 'definitions/weather.ts': file('definitions/weather.ts') })
  })

  test('generate, implement, type-check, run', () => {
    const generated = run(folder, 'npx', 'callsheet', 'generate')
    expect(generated).toMatchObject({ code: 0 })
    writeInto(folder, { 'activities.ts': file('activities.ts'), 'main.ts': file('main.ts') })
    expect(run(folder, 'npx', 'tsc', '--noEmit')).toMatchObject({ code: 0, stdout: '' })
    const ran = run(folder, 'npx', 'tsx', 'main.ts')
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.stdout.trim()).toBe(expectedOutput())
  })

  test('GEN-3 --check is content, and a second run writes nothing', () => {
    expect(run(folder, 'npx', 'callsheet', 'generate', '--check')).toMatchObject({ code: 0 })
    expect(run(folder, 'npx', 'callsheet', 'generate').stderr).toContain('0 written')
  })

  test('GEN-7 an Activity stops compiling when its Tool loses a parameter', () => {
    const without = file('definitions/weather.ts').replace(/^ {2}location: .*\n/m, '  city: Type.String(),\n')
    expect(without).not.toBe(file('definitions/weather.ts'))
    writeInto(folder, { 'definitions/weather.ts': without })
    expect(run(folder, 'npx', 'callsheet', 'generate', '--check')).toMatchObject({ code: 1 })
    expect(run(folder, 'npx', 'callsheet', 'generate')).toMatchObject({ code: 0 })
    const checked = run(folder, 'npx', 'tsc', '--noEmit')
    expect(checked.code).not.toBe(0)
    expect(checked.stdout).toContain('activities.ts')
    expect(checked.stdout).toContain("'location'")
  })

  test('GEN-9 the worker runs without typebox and with code from strings forbidden', () => {
    writeInto(folder, { 'definitions/weather.ts': file('definitions/weather.ts') })
    run(folder, 'npx', 'callsheet', 'generate')
    expect(run(folder, 'npm', 'uninstall', '--silent', 'typebox')).toMatchObject({ code: 0 })
    const built = run(folder, 'npx', 'tsc', '--noEmit', 'false', '--outDir', 'out', '--rootDir', '.')
    expect(built.stdout.replaceAll(/^definitions.*$/gm, '').trim()).toBe('')
    const ran = run(
      folder,
      process.execPath,
      '--disallow-code-generation-from-strings',
      join('out', 'main.js'),
    )
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.stdout.trim()).toBe(expectedOutput())
  })
})

function file(name: string): string {
  const text = files[name]
  if (text === undefined) throw new Error(`README.md has no block for ${name}`)
  return text
}

function readmeTsconfig(): string {
  return file('tsconfig.json')
}

/** The block after "prints" in the README. */
function expectedOutput(): string {
  return /prints:?\n+```(?:text)?\n([\s\S]*?)```/.exec(readme)?.[1]?.trim() ?? ''
}
