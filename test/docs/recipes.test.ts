import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { root } from './doc-examples.ts'

const pages = readdirSync(`${root}docs/recipes`).map((name) => ({
  page: `docs/recipes/${name}`,
  text: readFileSync(`${root}docs/recipes/${name}`, 'utf8'),
}))

/** Matches commands and the output that the page shows for them. */
const promised = /^```sh\n(.*?)^```\n\nprints\n\n```text\n(.*?)^```$/gms

describe.each(pages)('$page', ({ text }) => {
  test('shows code of its example, line by line', () => {
    const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block = '']) => block)
    expect(blocks.length).toBeGreaterThan(1)
    for (const block of blocks) {
      const [, file = '', code = ''] = /^\/\/ (examples\/\S+)\n(.*)$/s.exec(block) ?? []
      expect(existsSync(root + file), block).toBe(true)
      expect(readFileSync(root + file, 'utf8')).toContain(code)
    }
  })

  test('its commands print the output that it shows', async () => {
    const [found, ...others] = [...text.matchAll(promised)]
    expect([found?.length, others]).toEqual([3, []])
    const [, commands = '', output = ''] = found ?? []
    const folder = mkdtempSync(join(tmpdir(), 'callsheet-recipe-'))
    try {
      let printed = ''
      for (const command of commands.trim().split('\n')) printed += await run(command, folder)
      expect(printed.trim()).toBe(output.trim())
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

/** Runs `npx tsx examples/…` in a temporary folder, where it may write its files. */
async function run(command: string, folder: string): Promise<string> {
  const [, script = '', rest = ''] = /^npx tsx (examples\/\S+)(.*)$/.exec(command) ?? []
  expect(existsSync(root + script), command).toBe(true)
  const tsx = join(root, 'node_modules/tsx/dist/cli.mjs')
  const args = [
    tsx,
    '--tsconfig',
    join(root, 'tsconfig.json'),
    join(root, script),
    ...rest.trim().split(/ +/),
  ]
  const { stdout } = await promisify(execFile)(process.execPath, args.filter(Boolean), {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1' },
  })
  return stdout
}
