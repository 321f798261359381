import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { commands } from '../../../../codegen/cli/commands.ts'
import { configFaults } from '../../../../codegen/config/config-rules.ts'

const page = (name: string): string => readFileSync(`docs/${name}.md`, 'utf8')

describe('docs/command-line.md', () => {
  test('has a section for each command, and for nothing else', () => {
    const sections = [...page('command-line').matchAll(/^## (\S+)$/gm)].map(([, name]) => name)
    expect(sections).toEqual(expect.arrayContaining(Object.keys(commands)))
    expect(sections.filter((name) => !Object.hasOwn(commands, name ?? ''))).toEqual([])
  })

  test('the guides name every option that a command has', async () => {
    const guides = readdirSync('docs').filter((name) => name.endsWith('.md'))
    const text = guides.map((name) => readFileSync(`docs/${name}`, 'utf8')).join('\n')
    const options = await Promise.all(
      Object.values(commands).map(async ({ load }) => Object.keys((await load()).options)),
    )
    expect(options.flat().filter((name) => !new RegExp(`--${name}(?![\\w-])`).test(text))).toEqual([])
  })

  test('every option that it names is one of a command', async () => {
    const known = await Promise.all(
      Object.values(commands).map(async ({ load }) => Object.keys((await load()).options)),
    )
    const named = [...page('command-line').matchAll(/`(?:-\w`, `)?--([a-z-]+)/g)].map(([, name = '']) => name)
    const common = ['config', 'cwd', 'format', 'silent', 'help']
    expect(named.filter((name) => ![...known.flat(), ...common].includes(name))).toEqual([])
  })
})

test('docs/configuration.md lists every option', () => {
  const options = [...page('configuration').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  const [fault] = configFaults({ nonsense: 1 }, '/')
  const known = /Options: (.*)\.$/.exec(fault?.fix ?? '')?.[1]?.split(', ') ?? []
  expect(options.filter((name) => !['auto', 'composed', 'native'].includes(name ?? '')).sort()).toEqual(
    known.sort(),
  )
})
