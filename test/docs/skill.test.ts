import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ActivityRun } from '../../runtime/index.ts'
import { freshFolder, readmeFiles, writeInto } from '../package/packed.ts'
import { root } from './doc-examples.ts'

const skill = readFileSync(`${root}docs/skills/callsheet/SKILL.md`, 'utf8')

/** The members of an Activity's `run`. The type makes the compiler check that the list is complete. */
const runMembers: Readonly<Record<keyof ActivityRun, true>> = {
  signal: true,
  attempt: true,
  id: true,
  variantKey: true,
  emit: true,
  spend: true,
}

test.each([
  'docs/skills/callsheet/SKILL.md',
  'docs/activities.md',
  'docs/policies.md',
  'docs/serving.md',
  'docs/calls.md',
])('ACT-2: what %s says of `run` is there', (page) => {
  const told = [...readFileSync(root + page, 'utf8').matchAll(/`run\.(\w+)/g)].map(([, name]) => name)
  expect(told.length).toBeGreaterThan(0)
  expect(told.filter((name) => !Object.hasOwn(runMembers, name as string))).toEqual([])
})

/** Follows the skill in a new folder, with this checkout instead of an installed package. */
describe('the skill for coding agents, followed', () => {
  let folder = ''
  const node = (...args: string[]): string =>
    execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

  beforeAll(() => {
    folder = freshFolder({
      'package.json': '{ "type": "module" }',
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          target: 'es2023',
          module: 'nodenext',
          strict: true,
          noEmit: true,
          types: ['node'],
        },
        include: ['*.ts', 'definitions', 'generated'],
      }),
    })
    for (const name of ['typebox', 'typescript', 'tsx', '@types/node'])
      link(name, join(root, 'node_modules', name))
    link('callsheet', root)
    writeInto(folder, readmeFiles(skill))
    node(join(root, 'dist/cli.js'), 'generate', '--silent')
  })

  function link(name: string, target: string): void {
    const path = join(folder, 'node_modules', name)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(target, path)
  }

  test('its code compiles', () => {
    expect(node(join(root, 'node_modules/typescript/bin/tsc'))).toBe('')
  })

  test('a valid Call runs, and one beyond a limit is refused', () => {
    expect(node(join(root, 'node_modules/tsx/dist/cli.mjs'), 'main.ts')).toMatch(
      /^open\nfailed .*\/amount: expected .*500.*got 9000/,
    )
  })

  test('its test passes', () => {
    expect(node(join(root, 'node_modules/tsx/dist/cli.mjs'), 'refund.test.ts')).toBe(
      'Refunded 80. succeeded,succeeded\n',
    )
  })

  test('its front matter has the name of its folder, and when to use it', () => {
    expect(skill).toMatch(/^---\nname: callsheet\ndescription: .{100,1000}\n---\n/)
  })
})
