import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callsheet, definition, project } from '../cli/in-terminal.ts'
import { contents } from '../write/temporary-folder.ts'

test('TOOL-10 the configuration gives meta-fields to the Tools whose names match, typed and composed', async () => {
  const folder = project({
    'definitions/a.ts': definition('mailSend'),
    'definitions/b.ts': definition('other'),
    'callsheet.config.mjs': `import { Type } from 'typebox'
export default { meta: [{ _outputPath: true }, { tools: 'mail*', _instance: Type.String({ description: 'The mailbox' }) }] }
`,
  })
  expect(await callsheet(folder, ['generate'])).toMatchObject({ code: 0 })
  const texts = contents(join(folder, 'generated'))
  expect(texts['types.ts']).toMatch(/interface MailSendMeta \{[^}]*_outputPath\?: string[^}]*\}/)
  const branches = JSON.parse(texts['composed/json-schema.json'] ?? '').properties.calls.items.anyOf
  expect(branches[0].properties._instance).toEqual({ type: 'string', description: 'The mailbox' })
  expect(branches[1].properties).not.toHaveProperty('_instance')
  expect(branches[1].properties).toHaveProperty('_outputPath')
  expect(branches.flatMap(({ required }: { required: string[] }) => required)).not.toContain('_outputPath')
})

test.each([
  ['{ "meta": { "_output": true } }'],
  ['{ "meta": { "_instance": 5 } }'],
  ['{ "meta": [{ "tools": 5 }] }'],
  ['{ "meta": { "_instance": ["a"] } }'],
])('TOOL-10 a wrong rule is refused: %s', async (config) => {
  const folder = project({ 'definitions/a.ts': definition('a'), 'callsheet.config.json': config })
  const { code, err } = await callsheet(folder, ['generate'])
  expect(code).toBe(2)
  expect(err).toContain('Option "meta" has to be an object of _outputPath, _instance, _scopes, _delegate')
})
