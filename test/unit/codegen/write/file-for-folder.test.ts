import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callsheet, definition, project } from '../cli/in-terminal.ts'

test('GEN-3 a file where the output folder was is named, and is no fault of Callsheet', async () => {
  const folder = project({ 'definitions/a.ts': definition('a') })
  expect(await callsheet(folder, ['generate'])).toMatchObject({ code: 0 })
  rmSync(join(folder, 'generated'), { recursive: true })
  writeFileSync(join(folder, 'generated'), 'mine')
  for (const args of [['generate'], ['generate', '--check']]) {
    const { code, err } = await callsheet(folder, args)
    expect(err).not.toContain('Callsheet itself failed')
    expect(err).toContain('generated')
    expect(code).not.toBe(0)
  }
})
