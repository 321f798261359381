import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { freshFolder, pack, type Ran, readmeFiles, run, writeInto } from './packed.ts'

const page = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const { devDependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** The section of the README that starts with an empty folder. */
const section = page.slice(page.indexOf('## Quickstart'), page.indexOf('## Documentation'))
const files = readmeFiles(section)

/** The blocks of that section, in order. */
const blocks = [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
  language,
  text,
}))

describe('the quickstart of the README', () => {
  let folder = ''
  let printed = ''
  const follow = (command: string): Ran => {
    const [program = '', ...words] = command.split(' ')
    const isInstall = command.startsWith('npm install')
    return run(folder, program, ...words.map((word) => (isInstall ? pinned(word) : word)))
  }

  beforeAll(() => {
    folder = freshFolder({})
    for (const { language, text } of blocks) {
      const [name] = /^\/\/ (\S+)\n/.exec(text)?.slice(1) ?? []
      if (name !== undefined) writeInto(folder, { [name]: files[name] ?? '' })
      if (language !== 'sh') continue
      for (const command of text.trim().split('\n')) {
        const ran = follow(command)
        expect({ command, ...ran }).toMatchObject({ command, code: 0 })
        printed = ran.stdout
      }
    }
  })

  test('followed word for word from an empty folder, it prints the output on the page', () => {
    expect(blocks.filter(({ language }) => language === 'sh')[0]?.text).toMatch(/^npm init -y\n/)
    expect(printed).toBe(blocks.find(({ language }) => language === 'text')?.text)
  })

  test('GEN-3 --check passes, and a second run writes nothing', () => {
    expect(follow('npx callsheet generate --check')).toMatchObject({ code: 0 })
    expect(follow('npx callsheet generate').stderr).toContain('0 written')
  })

  test('GEN-7 an Activity stops compiling when its Tool loses a parameter', () => {
    const definition = files['definitions/weather.ts'] ?? ''
    const without = definition.replace(/^ {2}location: .*\n/m, '  city: Type.String(),\n')
    expect(without).not.toBe(definition)
    writeInto(folder, { 'definitions/weather.ts': without })
    expect(follow('npx callsheet generate --check')).toMatchObject({ code: 1 })
    expect(follow('npx callsheet generate')).toMatchObject({ code: 0 })
    const checked = follow('npx tsc --noEmit')
    expect(checked.code).not.toBe(0)
    expect(checked.stdout).toContain('activities.ts')
    expect(checked.stdout).toContain("'location'")
  })

  test('GEN-9 the worker runs without typebox and with code from strings forbidden', () => {
    writeInto(folder, { 'definitions/weather.ts': files['definitions/weather.ts'] ?? '' })
    expect(follow('npx callsheet generate')).toMatchObject({ code: 0 })
    expect(follow('npm uninstall --silent typebox')).toMatchObject({ code: 0 })
    const built = follow('npx tsc --noEmit false --outDir out --rootDir .')
    expect(built.stdout.replaceAll(/^definitions.*$/gm, '').trim()).toBe('')
    const ran = follow(
      `${process.execPath} --disallow-code-generation-from-strings ${join('out', 'main.js')}`,
    )
    expect(ran).toMatchObject({ code: 0, stdout: printed })
  })
})

/** Replaces `callsheet` with the tarball, and other packages with the versions that the project pins. */
function pinned(word: string): string {
  if (word === 'callsheet') return pack()
  const version = devDependencies[word]
  return version === undefined ? word : `${word}@${version}`
}
