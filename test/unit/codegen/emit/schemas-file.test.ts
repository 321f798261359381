import { describe, expect, it } from 'vitest'
import { emit } from '../../../../codegen/emit/emit.ts'
import { modelOf, settings } from '../print/sample-model.ts'

const description = 'Tells what nothing else in these files tells.'
const tools = {
  array: { type: 'object', properties: { place: { $ref: '#/$defs/Place' } }, description: 'Lists.' },
  'back`tick': { type: 'object', properties: { text: { type: 'string', description, pattern: "^'\\\\`$" } } },
}
const definitions = { Place: { type: 'object', properties: { line: { type: 'integer' } } } }
const model = modelOf(tools, definitions)
const files = emit(model, settings, [])

describe('schemas.ts', () => {
  it('GEN-11 holds each schema as JSON text, with the definitions that it reaches', async () => {
    const { text = '' } = files.find(({ path }) => path === 'schemas.ts') ?? {}
    const source = text.replaceAll(': string =', ' =')
    const schemas: Record<string, string> = await import(`data:text/javascript,${encodeURIComponent(source)}`)
    // Named so that a module may import it beside JavaScript's own `Array`.
    expect(JSON.parse(schemas.ArraySchema ?? '')).toEqual({ ...model.tools[0]?.schema, $defs: definitions })
    expect(JSON.parse(schemas.BackTickSchema ?? '')).toEqual(model.tools[1]?.schema)
  })

  it('GEN-11 is the one file that repeats what a schema says, beside the doc comment of its type', () => {
    const places = files.filter(({ text }) => text.includes(description)).map(({ path }) => path)
    expect(places).toEqual(['types.ts', 'schemas.ts'])
    const [types] = files
    expect(types?.text.split(description)).toHaveLength(2)
  })

  it('GEN-2 changes in one line when a Tool changes', () => {
    const changed = emit(modelOf({ ...tools, array: { type: 'object' } }, definitions), settings, [])
    const linesOf = (all: typeof files) =>
      all.find(({ path }) => path === 'schemas.ts')?.text.split('\n') ?? []
    const before = linesOf(files)
    expect(linesOf(changed).filter((line) => !before.includes(line))).toHaveLength(1)
  })
})
