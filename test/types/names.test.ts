import { expect, test } from 'vitest'
import { buildModel } from '../../codegen/build/build-model.ts'
import { checkModel } from '../../codegen/check/check-model.ts'
import type { LoadedDefinition } from '../../codegen/model.ts'
import { reservedTypeNames } from '../../codegen/names/reserved.ts'
import { tool } from '../../runtime/schema/tool.ts'
import { define } from '../unit/codegen/build/define.ts'
import { typedSources } from '../unit/runtime/typed/typed-sources.ts'
import { typeCheck } from './compilers.ts'

/** Words that mean something to JavaScript or TypeScript. */
const words = (
  'abstract accessor any apply arguments as asserts assert async await bigint bind boolean break call caller case catch class ' +
  'const continue debugger declare default defer delete do else enum eval export extends false finally for from function get ' +
  'global if implements import in infer instanceof interface intrinsic is keyof length let meta module name namespace never new ' +
  'null number object of out override package private protected public readonly require return satisfies set static string super ' +
  'switch symbol target then this throw toJSON true try type typeof undefined unique unknown using var void while with yield'
).split(' ')

/** Two names that differ by case only are one name to a provider. */
const names = [
  ...new Map([...words, ...reservedTypeNames].map((name) => [name.toLowerCase(), name] as const)).values(),
]

/** A word as the name of a Tool, of one in a toolkit, of a toolkit, of a parameter, of a shared schema and of its member. */
function definitionsOf(word: string): LoadedDefinition[] {
  const member = { type: 'object', properties: { [word]: { type: 'string' } }, required: [word] }
  const shared = { $ref: `#/$defs/${word}` }
  const parameters = { [word]: shared, _output: { type: 'array', items: shared } }
  const options = { description: 'A word.', $defs: { [word]: member } }
  return [word, `kit.${word}`, `${word}Kit.run`].map((name) => define(name, tool(name, parameters, options)))
}

function isAccepted(definitions: readonly LoadedDefinition[]): boolean {
  const { model, findings } = buildModel(definitions)

  return [...findings, ...checkModel(model, definitions)].every(({ severity }) => severity !== 'error')
}

/** Calls of the Tools of a word, built and literal, their outputs and one of their Activities. */
function usesOf(word: string): string[] {
  const value = `{ ${word}: { ${word}: 'x' } }`
  const output = `const given: string = (await made)[0]?.${word} ?? ''; void given`
  return [
    `{ const made = Tool(calls.${word}(${value})); ${output} }`,
    `{ const made = Tool(calls.kit.${word}(${value})); ${output} }`,
    `{ const made = Tool(calls.${word}Kit.run(${value})); ${output} }`,
    `{ const made = Tool({ _tool: 'kit.${word}', ${word}: { ${word}: 'x' } }); ${output} }`,
    `Activity.register('kit.${word}', (call) => [{ ${word}: call.${word}.${word} }])`,
  ]
}

const wrongUsesOf = (word: string): string[] => [
  `void Tool(calls.kit.${word}({ ${word}: { ${word}: 1 } }))`,
  `void Tool({ _tool: 'kit.${word}', ${word}: {} })`,
]

const head = "import { Activity, calls, Tool } from './index.js'; void [Activity, calls, Tool]; export {}"

// One compiler: names are a matter of syntax, which all of them read alike, and the older ones take forty seconds.
test('TYPE-6, GEN-8 names may be any words that JavaScript allows in their place', () => {
  const accepted = names.filter((word) => isAccepted(definitionsOf(word)))
  expect(accepted.length).toBeGreaterThan(140)
  const { model } = buildModel(accepted.flatMap(definitionsOf))
  const files = typedSources(model)
  const right = accepted.flatMap(usesOf)
  expect(typeCheck('7.0', { ...files, 'use.ts': [head, ...right].join('\n') })).toEqual([])
  const wrong = accepted.flatMap(wrongUsesOf)
  const told = typeCheck('7.0', { ...files, 'use.ts': [head, ...wrong].join('\n') })
  const lines = new Set(told.map(({ line }) => line - 2))
  expect(wrong.filter((_, index) => !lines.has(index))).toEqual([])
}, 180_000)
