import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compilerOutput } from '../types/compiler-output.ts'
import { callsheet } from '../unit/codegen/cli/in-terminal.ts'
import { generatedProject, registryOf } from '../unit/codegen/functions/generated-project.ts'
import { contents, fill } from '../unit/codegen/write/temporary-folder.ts'
import { type WrittenType, writtenType } from './typescript-type.ts'

// One run of the generator and the compiler for all of them, and no shrinking, which would be one for each step.
const seconds = Number(process.env.FUZZ_SECONDS ?? 0)
const seed = Number(process.env.FUZZ_SEED ?? (seconds > 0 ? Date.now() % 2 ** 31 : 20261122))

interface Made {
  readonly source: string
  readonly needed: WrittenType
  readonly given: WrittenType
}

const someWords = ['Reads', 'a file', '`x`', '- one', '*bold*', 'ü', '', '  far', '@deprecated', 'e.g. @x']

/** What stands in a doc comment, line by line. */
const lines = fc.array(
  fc.array(fc.constantFrom(...someWords), { maxLength: 3 }).map((words) => words.join(' ')),
  {
    maxLength: 4,
  },
)

function comment(of: readonly string[]): string {
  return `/**\n${of.map((line) => ` * ${line}\n`).join('')} */\n`
}

/** A function that gives its parameters back, taken one by one or as one object. */
const made: fc.Arbitrary<(name: string) => Made> = fc
  .record({ needed: writtenType, given: writtenType, byPlace: fc.boolean(), said: lines, ofMember: lines })
  .map(({ needed, given, byPlace, said, ofMember }) => (name) => {
    const members = `${comment(ofMember)}needed: ${needed.text}; given?: ${given.text}`
    const list = byPlace
      ? `needed: ${needed.text}, given?: ${given.text}`
      : `{ needed, given }: { ${members} }`
    const back = '{ needed, ...(given !== undefined && { given }) }'
    const source = `${comment([...said, '@tool', '@param needed What', 'is needed.'])}export const ${name} = async (${list}): Promise<{ ${members} }> => (${back})\n`
    return { source, needed, given }
  })

test(`TOOL-5 what functions of any types take and give passes through generated code that compiles: seed ${seed}`, {
  timeout: 240_000,
}, async () => {
  const functions = fc
    .sample(made, { numRuns: seconds > 0 ? 300 : 40, seed })
    .map((make, at) => make(`f${at}`))
  const folder = await generatedProject({
    'definitions/functions.ts': functions.map(({ source }) => source).join('\n'),
    // Some are deeper than providers allow.
    'callsheet.config.json': '{ "dialects": ["json-schema"] }',
  })

  const definitions = contents(join(folder, 'definitions'))['functions.ts'] ?? ''
  fill(folder, { 'definitions/functions.ts': definitions.replaceAll('\n', '\r\n') })
  const checked = await callsheet(folder, ['generate', '--check'])
  expect({ code: checked.code, stale: checked.out }, 'the line ends of Windows').toEqual({
    code: 0,
    stale: '',
  })

  expect(compilerOutput(folder)).toBe('')

  const Tool = await registryOf(folder)
  for (const [at, { needed, given, source }] of functions.entries()) {
    const parameters = fc.record({ needed: needed.value, given: given.value }, { requiredKeys: ['needed'] })
    for (const call of fc.sample(parameters, { numRuns: 10, seed: seed + at })) {
      const { output, error } = await Tool.run({ _tool: `f${at}`, ...call }, { references: false })
      expect([error, output], source).toEqual([undefined, call])
    }
  }
})
