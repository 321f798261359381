import { aNumber } from '../problems/field-rule.ts'
import { requireOptionsOf } from '../problems/option-problems.ts'
import { askedSchema, askedTools } from './asked-schema.ts'
import { RandomSource } from './random-source.ts'
import { randomValue } from './random-value.ts'
import { type TestModel, testModel } from './test-model.ts'

/** Options of a random model. */
export interface RandomModelOptions {
  /** The seed: the same one gives the same answers to the same requests. */
  readonly seed?: number | undefined
}

/**
 * Creates a model that answers any schema with random data that is valid under it, which is all that a provider with strict schemas
 * promises. Shows whether a program handles every answer that its Tools allow.
 *
 * @example
 * const model = randomModel({ seed: 7 })
 * await Agent({ model: 'random', client: model, tools: Tool, output, maxTurns: 5 })
 */
export function randomModel(options: RandomModelOptions = {}): TestModel {
  requireOptionsOf('randomModel', options, { seed: aNumber })
  const { seed = 1 } = options
  const random = new RandomSource(seed)
  return testModel((request) => {
    const schema = askedSchema(request)
    const tools = askedTools(request)
    if (tools.length > 0 && (!schema || random.chance(0.5))) {
      const called = Array.from({ length: random.between(1, 2) }, () => random.pick(tools))
      const toolCalls = called.map(({ name, parameters }) => ({
        name,
        arguments: JSON.stringify(randomValue(parameters, random)),
      }))
      return { toolCalls }
    }
    return { text: schema ? JSON.stringify(randomValue(schema, random)) : 'text' }
  })
}
