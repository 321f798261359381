import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createContext } from '../../runtime/context/context.ts'
import { literal } from '../../runtime/context/literal.ts'

/** Lines such as `context.read('…') // value: remark`, which a page promises. */
const promise = /^(?<read>context\.read\(.*?\)) \/\/ (?<value>undefined|'[^']*'|\[[^\]]*\]|\{.*\})/gm

describe.each(['state-and-references', 'scopes-and-instances'])('docs/%s.md', (page) => {
  const text = readFileSync(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8')
  const blocks = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code)
  const reading = blocks.filter((code) => code.includes('context.read'))

  test.each(reading)('its examples give what they say: %#', (code) => {
    const setup = code.replace(/^import .*$/gm, '')
    const promises = [...setup.matchAll(promise)].map(
      ({ groups = {} }) => `[${groups.read}, ${groups.value}]`,
    )
    expect(promises.length).toBe(setup.match(/context\.read\(/g)?.length)
    const run = new Function('createContext', 'literal', `${setup}\nreturn [${promises.join(',')}]`)
    for (const [found, want] of run(createContext, literal)) expect(found).toEqual(want)
  })
})
