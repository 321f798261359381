import { Type } from 'typebox'
import { buildModel } from '../../../../codegen/build/build-model.ts'
import type { LoadedDefinition } from '../../../../codegen/model.ts'
import { defineContext } from '../../../../runtime/context/define-context.ts'
import { tool } from '../../../../runtime/schema/tool.ts'
import { define } from '../../codegen/build/define.ts'
import { typedSources } from './typed-sources.ts'

const Forecast = Type.Object({ temperature: Type.Number(), conditions: Type.String() })

export const context = defineContext({
  state: Type.Object({
    user: Type.Object({
      name: Type.String(),
      age: Type.Optional(Type.Number()),
      tags: Type.Array(Type.String()),
    }),
    byCity: Type.Record(Type.String(), Forecast),
    days: Type.Number(),
    forecast: Type.Optional(Forecast),
    advice: Type.Optional(Type.String()),
    failure: Type.Optional(Type.Unknown()),
    readings: Type.Optional(Type.Array(Forecast)),
  }),
  audit: Type.Object({ last: Type.Optional(Forecast) }),
  input: Type.Object({ city: Type.String() }),
})

const tools = {
  weatherCheck: tool('weatherCheck', {
    location: Type.String(),
    days: Type.Optional(Type.Integer()),
    _outputPath: Type.Optional(Type.String()),
    _outputMethod: Type.Optional(Type.Union([Type.Literal('set'), Type.Literal('push')])),
    _output: Forecast,
  }),
  advise: tool('advise', {
    forecast: Forecast,
    name: Type.String(),
    _scopes: Type.Unsafe({ const: ['state', '†input.city'] }),
    _outputPath: Type.Optional(Type.String()),
    _output: Type.String(),
  }),
  brief: tool('brief', {
    _scopes: Type.Tuple([Type.Literal('†state.user')]),
    _output: Type.String(),
  }),
  rate: tool('rate', {
    data: Type.Unknown(),
    at: Type.Optional(
      Type.Object({
        where: Type.Union([
          Type.Object({ kind: Type.Literal('point'), spot: Type.Tuple([Type.Number(), Type.String()]) }),
          Type.Object({ kind: Type.Literal('area'), size: Type.Object({ width: Type.Number() }) }),
        ]),
      }),
    ),
    _output: Type.Union([Type.Literal('low'), Type.Literal('high'), Type.Array(Type.String())]),
  }),
  judge: tool('judge', {
    text: Type.String(),
    _output: Type.Object({
      mood: Type.Union([Type.Literal('positive'), Type.Literal('neutral'), Type.Literal('negative')]),
      confidence: Type.Number(),
    }),
  }),
  tally: tool('tally', {
    counts: Type.Record(Type.String(), Type.Number()),
    row: Type.Optional(
      Type.Unsafe<unknown>({ type: 'array', prefixItems: [{}], items: { enum: ['a', 1] }, minItems: 0 }),
    ),
    _output: Type.Object({ total: Type.Record(Type.String(), Type.Number()) }),
  }),
  keep: tool('keep', {
    _outputPath: Type.Union([Type.Literal('†state.advice'), Type.Literal('†state.failure')]),
    _output: Type.String(),
  }),
  decide: tool('decide', { _outputPath: Type.Literal('†state.advice'), _output: Type.String() }),
  measure: tool('measure', {
    _outputPath: Type.Literal('†state.readings'),
    _outputMethod: Type.Literal('push'),
    _output: Forecast,
  }),
  mail: tool('mail', { to: Type.String(), lines: Type.Array(Type.String()), count: Type.Number() }),
}

/** The generated sources of a project of three Tools, beside which types are tested. */
export function generatedSources(declaresContext: boolean): Record<string, string> {
  const definitions: LoadedDefinition[] = Object.entries(tools).map(([name, value]) => define(name, value))
  if (declaresContext) definitions.push(define('context', context, 'state'))
  const { model } = buildModel([...definitions, define('Forecast', Forecast, 'shared')])
  return typedSources(model)
}
