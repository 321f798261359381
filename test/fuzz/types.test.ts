import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildModel } from '../../codegen/build/build-model.ts'
import { checkModel } from '../../codegen/check/check-model.ts'
import { emitTypes } from '../../codegen/emit/types.ts'
import type { LoadedDefinition } from '../../codegen/model.ts'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import { define } from '../unit/codegen/build/define.ts'
import { compile } from '../unit/codegen/print/compile.ts'
import { settings } from '../unit/codegen/print/sample-model.ts'
import { everyKeywordSchema } from './every-keyword-schema.ts'
import { overlappingSchema } from './overlapping-schema.ts'
import { recursiveCase } from './recursive-schema.ts'

// One compiler run for all of them, and no shrinking, which would be a compiler run for each step.
const seed = Number(process.env.FUZZ_SEED ?? (process.env.FUZZ_SECONDS ? Date.now() % 2 ** 31 : 20261122))

const schemas: readonly Schema[] = [
  ...fc.sample(everyKeywordSchema, { numRuns: 80, seed }),
  ...fc.sample(overlappingSchema, { numRuns: 120, seed }),
  ...fc.sample(recursiveCase, { numRuns: 20, seed }).map(({ schema }) => schema),
]

/** A Tool whose parameter, and in every second one whose output, is the schema. */
function definitionOf(given: Schema, index: number): LoadedDefinition {
  const { $defs, ...it } = typeof given === 'boolean' ? { allOf: [given] } : given
  const name = `t${index}`
  const schema: JsonSchema = {
    type: 'object',
    properties: { _tool: { const: name }, it, ...(index % 2 === 1 && { _output: it }) },
    required: ['_tool', 'it'],
    ...($defs && { $defs }),
  }
  return define(name, schema)
}

/** The definitions that no finding refuses. */
function accepted(definitions: readonly LoadedDefinition[]): readonly LoadedDefinition[] {
  return definitions.filter((each) => {
    const { model, findings } = buildModel([each])
    return [...findings, ...checkModel(model, [each])].every(({ severity }) => severity !== 'error')
  })
}

test(`GEN-8 the types of any schemas that are accepted compile under the strictest options: seed ${seed}`, {
  timeout: 120_000,
}, () => {
  const definitions = accepted(schemas.map(definitionOf))
  expect(definitions.length).toBeGreaterThan(80)
  const { text } = emitTypes(buildModel(definitions).model, settings)
  expect(compile({ 'types.ts': text }).errors).toEqual([])
})
