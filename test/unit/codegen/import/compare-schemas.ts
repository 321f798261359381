import { expect } from 'vitest'
import { importTools } from '../../../../codegen/import/import-tools.ts'
import type { JsonSchema } from '../../../../runtime/schema/schema.ts'
import { compileWithAjv } from '../../../ajv.ts'
import { argumentsSchema, evaluateDefinitions } from './evaluate-definitions.ts'
import { likelyValid, mutated, seeded } from './sample-values.ts'

export interface Source {
  readonly name: string
  readonly schema: JsonSchema
  /** Read as draft-07 by Ajv's default class, else as 2020-12. */
  readonly draft7?: boolean
}

/** Rules for schemas that nothing satisfies, and for those that generated checks do not read. */
const rightRefusals = new Set([
  'import-unsatisfiable',
  'unsatisfiable',
  'undeclared-required',
  'crossed-bounds',
  'unsupported-schema',
])

export type Validate = (value: unknown) => boolean

export function compile(schema: object, draft7 = false): Validate {
  const validate = compileWithAjv(schema, { draft7 })
  return (value) => validate(value) as boolean
}

/** Imports, evaluates, and compares both validators over generated values. Returns how many were valid and invalid. */
export async function compare(
  sources: readonly Source[],
  perTool: number,
  seed = 7,
): Promise<{ valid: number; invalid: number }> {
  const { files, findings } = importTools(
    { tools: sources.map(({ name, schema }) => ({ name, inputSchema: schema })) },
    { open: true },
  )
  const errors = findings.filter(({ severity }) => severity === 'error')
  const refused = new Set(errors.filter(({ rule }) => rightRefusals.has(rule)).map(({ tool }) => tool))
  expect(errors.filter(({ tool }) => !refused.has(tool)).map(({ message }) => message)).toEqual([])
  const tools = await evaluateDefinitions(files)
  const random = seeded(seed)
  const counts = { valid: 0, invalid: 0 }
  for (const { name, schema, draft7 } of sources) {
    if (refused.has(name)) continue
    const tool = tools.get(name)
    if (!tool) throw new Error(`no definition of ${name}`)
    const original = compile({ type: 'object', ...schema }, draft7)
    const imported = compile(argumentsSchema(tool))
    for (let round = 0; round < perTool; round++) {
      const good = likelyValid({ type: 'object', ...schema }, random)
      for (const value of [good, mutated(good, random), mutated(mutated(good, random), random)]) {
        if (typeof value !== 'object' || value === null || Array.isArray(value)) continue
        const want = original(value)
        counts[want ? 'valid' : 'invalid']++
        if (imported(value) !== want) {
          throw new Error(
            `${name}: ${JSON.stringify(value)} is ${want ? 'valid' : 'invalid'} before and not after\n${JSON.stringify(schema)}\n${JSON.stringify(tool)}`,
          )
        }
      }
    }
  }
  return counts
}
