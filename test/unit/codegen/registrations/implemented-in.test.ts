import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callsheet, definition, project } from '../cli/in-terminal.ts'
import { contents, fill } from '../write/temporary-folder.ts'

const register = (name: string) =>
  `import { Activity } from '../generated/index.js'\nActivity.register('${name}', async () => 'x')\n`

/** The facts and the composed branches of Tools, by what `generate` writes. */
async function generated(files: Readonly<Record<string, string>>) {
  const folder = project({
    'definitions/a.ts': definition('a'),
    'definitions/b.ts': definition('b'),
    ...files,
  })
  const { code, err } = await callsheet(folder, ['generate'])
  expect({ code, err }).toMatchObject({ code: 0 })
  const texts = contents(join(folder, 'generated'))
  const implementedIn = [
    ...(texts['registry.ts'] ?? '').matchAll(/name: '(\w+)'.*?implementedIn: '([^']+)'/g),
  ]
  const composed = JSON.parse(texts['composed/json-schema.json'] ?? '')
  return {
    folder,
    implementedIn: implementedIn.map(([, name, file]) => `${name} ${file}`),
    activities: composed.properties.calls.items.anyOf.map(
      (branch: { properties: { _activity: { const: string } } }) => branch.properties._activity.const,
    ),
  }
}

test('ACT-3b what the project registers is explicit, with the file that registers it', async () => {
  const { implementedIn, activities } = await generated({ 'src/a.ts': register('a') })
  expect(implementedIn).toEqual(['a src/a.ts'])
  expect(activities).toEqual(['a', ''])
})

test('ACT-3a the configuration stands over what was found: what it declares is elsewhere', async () => {
  const { implementedIn, activities } = await generated({
    'callsheet.config.json': '{ "activities": ["a"] }',
    'src/all.ts': `${register('a')}Activity.register('b', async () => 'x')\n`,
  })
  expect(implementedIn).toEqual(['b src/all.ts'])
  expect(activities).toEqual(['a', 'b'])
  const all = await generated({
    'callsheet.config.json': '{ "activities": "same-name" }',
    'src/a.ts': register('a'),
  })
  expect(all.implementedIn).toEqual([])
  expect(all.activities).toEqual(['a', 'b'])
})

test('ACT-3b lint lists what is latent only because nobody implements it', async () => {
  const { folder } = await generated({ 'src/a.ts': register('a') })
  const { err } = await callsheet(folder, ['lint'])
  expect(err).toContain('note latent-by-default: Tool "b" is latent')
  expect(err).not.toContain('Tool "a" is latent')
})

test('ACT-3b generate says where a name is computed, as long as Tools would be left to the model', async () => {
  const loop = `import { Activity } from '../generated/index.js'\nfor (const [name, f] of all) Activity.register(name, f)\n`
  const { folder, implementedIn } = await generated({ 'src/a.ts': register('a'), 'src/all.ts': loop })
  expect(implementedIn).toEqual(['a src/a.ts'])
  const warned = async () => (await callsheet(folder, ['generate', '--no-cache'])).err
  expect(await warned()).toContain('src/all.ts:2:30 warning computed-registration: ')
  expect(await warned()).toContain('for the model to answer: "b".')
  fill(folder, { 'callsheet.config.json': '{ "activities": ["b"] }' })
  expect(await warned()).not.toContain('computed')
})

test('ACT-3b generate says where a name is misspelt, if its Tool would be left to the model', async () => {
  const { folder } = await generated({
    'definitions/weather.ts': definition('weatherCheck'),
    'definitions/wether.ts': definition('wetherChecks'),
    'src/a.ts': register('weatherChek'),
    'src/b.ts': register('somethingElse') + register('wetherChecks'),
  })
  const warned = async () => (await callsheet(folder, ['generate', '--no-cache'])).err
  expect(await warned()).toContain('src/a.ts:2:1 warning misspelt-registration: The Activity "weatherChek"')
  expect(await warned()).toContain('Did you mean "weatherCheck"?')
  expect((await warned()).match(/misspelt/g)).toHaveLength(1)
  fill(folder, { 'src/c.ts': register('weatherCheck') })
  expect(await warned()).not.toContain('misspelt')
})

test('ACT-3b generate says where a component registers a Tool that is left to the model', async () => {
  const script = `<p>é</p>\n<script>\n  Activity.register(\n'a', () => 'x')\n  Activity.register("c", f)\n</script>\n`
  const { folder, implementedIn } = await generated({ 'src/Work.vue': script, 'src/B.svelte': '' })
  expect(implementedIn).toEqual([])
  const warned = async () => (await callsheet(folder, ['generate'])).err
  expect(await warned()).toContain(
    'src/Work.vue:3:3 warning unfollowed-registration: Something registers "a" here',
  )
  expect(await warned()).not.toContain('"c"')
  fill(folder, { 'src/B.svelte': `<script>Activity.register('b', f)</script>` })
  expect(await warned()).toContain('src/B.svelte:1:9 warning unfollowed-registration: ')
  fill(folder, { 'src/Work.vue': '', 'src/new/C.astro': `---\nActivity.register('a', f)\n---` })
  expect(await warned()).toContain('src/new/C.astro:2:1 warning unfollowed-registration: ')
  fill(folder, { 'src/a.ts': register('a'), 'src/B.svelte': '' })
  expect(await warned()).not.toContain('unfollowed')
})

test('GEN-3 --check sees a registration that came or went', async () => {
  const { folder } = await generated({})
  fill(folder, { 'src/a.ts': register('a') })
  const { code, out } = await callsheet(folder, ['generate', '--check'])
  expect(code).toBe(1)
  expect(out).toContain('stale generated/registry.ts')
  expect(out).toContain('stale generated/composed/json-schema.json')
})

test('GEN-6 scaffold leaves nothing stale: what it registers is generated as explicit', async () => {
  const { folder } = await generated({})
  const { code, err } = await callsheet(folder, ['scaffold'])
  expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('Generated again') })
  expect((await callsheet(folder, ['generate', '--check'])).code).toBe(0)
  expect(contents(join(folder, 'generated'))['registry.ts']).toContain("implementedIn: 'activities/a.ts'")
})

test('ACT-3b a source that does not parse is an error, beside those of the definitions; nothing is written', async () => {
  const { folder } = await generated({ 'src/a.ts': register('a') })
  const before = contents(join(folder, 'generated'))
  fill(folder, { 'src/a.ts': `${register('a')}const {\n`, 'definitions/c.json': '{' })
  const { code, err } = await callsheet(folder, ['generate'])
  expect(code).toBe(1)
  expect(err).toContain('src/a.ts:4:1 error unreadable-file: src/a.ts does not parse (')
  expect(err).toContain('definitions/c.json')
  expect(contents(join(folder, 'generated'))).toEqual(before)
})

test('ACT-3b generate says where a Tool that is left to the model is registered with what it cannot follow', async () => {
  const { folder, implementedIn } = await generated({
    'src/a.ts': "export const setUp = (work) => work.register('a', () => 'x')\n",
    'src/b.ts': "import { labour } from '../tests/own.js'\nlabour.register('b', () => 'x')\n",
    'src/no.ts': `import { createRegistry, tool } from 'callsheet'
import { Tool as Known } from '../generated/index.js'
const made = createRegistry()
made.Activity.register('a', () => 'x')
made.Tool.register('a', tool('a', {}))
Known.register('b', tool('b', {}))
Tool.register('b', tool('b', {}))
app.register('other', () => 'x')
app.register(a, 'b')
`,
    'tests/own.ts': "export { Activity as labour } from '../generated/index.js'\n",
  })
  expect(implementedIn).toEqual([])
  const warned = async () => (await callsheet(folder, ['generate', '--no-cache'])).err
  const places = (await warned()).match(/src\S+(?= warning unfollowed-registration: )/g)
  expect(places).toEqual(['src/a.ts:1:32', 'src/b.ts:2:1'])
  fill(folder, { 'callsheet.config.json': '{ "activities": ["a", "b"] }' })
  expect(await warned()).not.toContain('unfollowed')
})
