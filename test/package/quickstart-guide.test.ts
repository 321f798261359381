import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { runOn } from './node-24.ts'
import { freshFolder, pack, type Ran, readmeFiles, writeInto } from './packed.ts'

const page = readFileSync(new URL('../../docs/quickstart.md', import.meta.url), 'utf8')
const { devDependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** The shell blocks of the page, in order. */
const shell = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text.trim().split('\n'))

/** Returns the output that the page shows for a command. */
function printed(command: string): string {
  const after = page.slice(page.indexOf(`\`${command}\` prints`))
  return /```text\n([\s\S]*?)```/.exec(after)?.[1] ?? ''
}

/** Splits a command into words, with `callsheet` from the tarball and other packages in the versions that the project pins. */
function wordsOf(command: string): string[] {
  const isInstall = command.startsWith('npm install')
  return command.split(' ').map((word) => {
    if (isInstall && word === 'callsheet') return pack()
    const version = isInstall ? devDependencies[word] : undefined
    return version === undefined ? word : `${word}@${version}`
  })
}

describe.each(['own', 24] as const)('docs/quickstart.md, word for word, on Node %s', (version) => {
  let folder = ''
  const follow = (command: string): Ran => {
    const [first = '', ...rest] = wordsOf(command)
    return runOn(version, folder, first, ...rest)
  }

  beforeAll(() => {
    folder = freshFolder({})
    for (const command of shell[0] ?? []) expect(follow(command)).toMatchObject({ code: 0 })
    writeInto(folder, readmeFiles(page))
  })

  test('generates, and everything type-checks', () => {
    expect(shell.slice(1)).toEqual([['npx callsheet generate']])
    expect(follow('npx callsheet generate')).toMatchObject({ code: 0 })
    expect(follow('npx callsheet generate --check')).toMatchObject({ code: 0 })
    expect(follow('npx tsc --noEmit')).toMatchObject({ code: 0, stdout: '' })
  })

  test.each(['npx tsx calls.ts', 'npx tsx agent.ts'])('%s prints the output on the page', (command) => {
    expect(printed(command)).not.toBe('')
    expect(follow(command)).toMatchObject({ code: 0, stdout: printed(command) })
  })

  test('GEN-7 after the rename that it suggests, every use of `location` is an error', () => {
    const declared = readmeFiles(page)['definitions/weather.ts'] ?? ''
    writeInto(folder, { 'definitions/weather.ts': declared.replace('location:', 'city:') })
    expect(follow('npx callsheet generate')).toMatchObject({ code: 0 })
    const { code, stdout } = follow('npx tsc --noEmit --pretty false')
    expect(code).not.toBe(0)
    const files = stdout.split('\n').flatMap((line) => /^([\w.]+)\(\d/.exec(line)?.[1] ?? [])
    expect([...new Set(files)].sort()).toEqual(['activities.ts', 'agent.ts', 'calls.ts'])
  })
})
