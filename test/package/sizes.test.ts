import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { run } from './packed.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('docs/sizes.md has the current sizes, within the limits', () => {
  const { code, stderr } = run(root, process.execPath, 'bench/sizes.mjs', '--check')
  expect(stderr).toBe('')
  expect(code).toBe(0)
})
