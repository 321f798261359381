import { transformSync } from 'esbuild'
import { expect, test } from 'vitest'
import { emit } from '../../../../codegen/emit/emit.ts'
import * as checkFunctions from '../../../../runtime/checks.ts'
import type { Checks } from '../../../../runtime/schema/validator.ts'
import { modelOf, settings } from '../print/sample-model.ts'

test('CALL-1a compiled checks of a whole object see no meta-field that the Tool declares', () => {
  const text = { type: 'string' }
  const properties = { a: text, b: text, _outputPath: text }
  const pick = { type: 'object', properties, required: ['_outputPath'], minProperties: 1, maxProperties: 1 }
  const model = modelOf({ pick })
  const { text: source = '' } = emit(model, settings, []).find(({ path }) => path === 'tools/pick.ts') ?? {}
  const { call } = checksOf(source, JSON.stringify(model.tools[0]?.schema))
  const problemsOf = (value: object): string => {
    const problems: { path: string; message: string }[] = []
    return call(value, '', problems as never) ? 'none' : problems.map(({ message }) => message).join(' ')
  }
  expect(call({ _tool: 'pick', a: 'x', _outputPath: '†state.x' })).toBe(true)
  expect(problemsOf({ _tool: 'pick', a: 'x', b: 'x', _outputPath: '†state.x' })).toContain('1 property')
  expect(problemsOf({ _tool: 'pick', _outputPath: '†state.x' })).toContain('1 property')
  expect(problemsOf({ _tool: 'pick', a: 5, _outputPath: 5 })).toMatch(/\/_outputPath.*\/a/)
  expect(problemsOf({ _tool: 'pick', a: 'x' })).toContain('/_outputPath')
})

/** Evaluates what a Tool's module exports as its checks. */
function checksOf(source: string, schema: string): Checks {
  const { code } = transformSync(source, { loader: 'ts' })
  const body = code.replace(/^import .*$/gm, '').replace(/^export (?:{[^}]*};)?/gm, '')
  const names = Object.keys(checkFunctions)
  const made = new Function(...names, 'PickSchema', 'parsedToolObject', `${body}\nreturn checks`)
  return made(...Object.values(checkFunctions), schema, () => undefined)
}
