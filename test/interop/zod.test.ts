import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshFolder, run } from '../package/packed.ts'
import { installed, root } from './pages.ts'

// Without Zod (`npm run interop` installs it) this test is reported as skipped.
describe.skipIf(!installed)(
  'TOOL-10 the conversion from Zod 4 that the refusal of its schemas suggests',
  () => {
    const project = (definitions: string): string => {
      const folder = freshFolder({
        'package.json': '{ "private": true, "type": "module" }',
        'definitions/notes.ts': definitions,
      })
      symlinkSync(join(import.meta.dirname, 'node_modules'), join(folder, 'node_modules'), 'dir')
      return folder
    }
    const generate = (definitions: string) =>
      run(project(definitions), process.execPath, join(root, 'dist/cli.js'), 'generate')

    test('a Zod schema is refused, and its JSON Schema works as a parameter and an output', () => {
      const source = (text: string, list: string): string =>
        `import { z } from 'zod'
const note = z.object({ text: z.string().min(1), tags: z.array(z.string()).optional() })
export const addNote = {
  type: 'object',
  description: 'Adds a note.',
  properties: { _tool: { const: 'addNote' }, note: ${text}, _output: ${list} },
  required: ['_tool', 'note'],
}
`
      const refused = generate(source('note', 'z.array(note)'))
      expect(refused.code).toBe(1)
      expect(refused.stderr).toContain('z.toJSONSchema(schema)')
      expect(generate(source('z.toJSONSchema(note)', 'z.toJSONSchema(z.array(note))'))).toMatchObject({
        code: 0,
      })
    })
  },
)
