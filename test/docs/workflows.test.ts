import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { root } from './doc-examples.ts'

const folder = `${root}.github/workflows`

describe.each(readdirSync(folder))('the workflow %s', (name) => {
  const text = readFileSync(`${folder}/${name}`, 'utf8')
  const actions = [...text.matchAll(/uses: (\S+)(.*)$/gm)]

  test('pins every action by commit, with its version in a comment', () => {
    expect(actions.length).toBeGreaterThan(0)
    for (const [line, action = '', rest = ''] of actions) {
      expect(action, line).toMatch(/^[\w-]+\/[\w/-]+@[0-9a-f]{40}$/)
      expect(rest, line).toMatch(/^ # v\d+\.\d+\.\d+$/)
    }
  })

  test('has read permission only, unless a job has more, and contains no token', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read$/m)
    expect(text).not.toMatch(/write-all|secrets\./)
  })

  test('only runs scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
    const commands = [...text.matchAll(/- run: (.+)$/gm)].map(([, command = '']) => command)
    const named = commands.flatMap((command) => [...command.matchAll(/npm (?:run )?([\w-]+)/g)])
    const own = named.map(([, script = '']) => script).filter((script) => !['ci', 'install'].includes(script))
    for (const script of own) expect(scripts).toHaveProperty(script)
  })
})
