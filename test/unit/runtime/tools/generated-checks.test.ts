import { describe, expect, test } from 'vitest'
import { interpretCheck } from '../../../../runtime/check-tree/interpret.ts'
import type { Problem } from '../../../../runtime/errors.ts'
import { callSchema } from '../../../../runtime/schema/call-schema.ts'
import type { ToolSchema } from '../../../../runtime/schema/schema.ts'
import { shortHash } from '../../../../runtime/schema/tool-name.ts'
import type { Check } from '../../../../runtime/schema/validator.ts'
import { generatedChecks } from '../../../../runtime/tools/generated-checks.ts'

const tool: ToolSchema = {
  type: 'object',
  properties: {
    _tool: { const: 'book' },
    node: { $ref: '#/$defs/Node' },
    email: { type: 'string', format: 'email' },
    code: { type: 'string', pattern: '(a+)+$' },
    _output: { type: 'array', items: { $ref: '#/$defs/Node' } },
  },
  required: ['_tool', 'node'],
  additionalProperties: false,
  $defs: {
    Node: {
      type: 'object',
      properties: { next: { $ref: '#/$defs/Node' }, size: { type: 'integer', minimum: 1 } },
      additionalProperties: false,
    },
  },
}

function problemsOf(check: Check, value: unknown) {
  const problems: Problem[] = []
  expect(check(value, '', problems)).toBe(false)
  return problems.map(({ message }) => message)
}

describe('GEN-1 the checks of a generated Tool', () => {
  test('a refused Call is told all reasons, in the words of the interpreter', () => {
    const { call } = generatedChecks(JSON.stringify(tool), () => false)
    const value = { node: { next: { size: 0 } }, email: 'x', code: 'b', other: 1, _delegate: 'x' }
    const reasons = problemsOf(call, value)
    expect(reasons).toEqual(problemsOf(interpretCheck(callSchema(tool).schema), value))
    expect(reasons.map((reason) => reason.split(': ')[0]).sort()).toEqual([
      '/_delegate',
      '/code',
      '/email',
      '/node/next/size',
      '/other',
    ])
  })

  test('a refused output is told all reasons as well; a Tool without one has no check of it', () => {
    const text = JSON.stringify(tool)
    const { output = () => true } = generatedChecks(
      text,
      () => true,
      () => false,
    )
    expect(problemsOf(output, [{ size: 'x' }])).toEqual([expect.stringContaining('/0/size: expected')])
    expect(generatedChecks(text, () => true)).not.toHaveProperty('output')
  })

  test('verdicts of another schema than the process has loaded are refused; code of earlier versions does not say of which they are', () => {
    const text = JSON.stringify(tool)
    const made = (of: string) => generatedChecks(text, () => true, undefined, shortHash(of))
    expect(made(text).call({}, '', undefined)).toBe(true)
    expect(() => made(`${text} `)).toThrow(/generated anew\. Start the process again/)
  })

  test('CALL-1a the fields that every Call may carry are no reasons where a keyword counts properties', () => {
    const { call } = generatedChecks(JSON.stringify({ ...tool, maxProperties: 1 }), () => false)
    const fields = { _tool: 'book', _reasoningForCall: 'why', _activity: '' }
    expect(problemsOf(call, { ...fields, node: { size: 0 } })).toEqual([
      expect.stringContaining('/node/size: expected'),
    ])
    expect(problemsOf(call, { ...fields, node: {}, email: 'a@b.co' })).toEqual([
      expect.stringContaining('at most 1'),
    ])
  })

  test('GEN-11 the schema is not read until a refused value is asked about', () => {
    const { call } = generatedChecks('no JSON', ({ ok }) => ok)
    expect([call({ ok: true }), call({ ok: false }), call({ ok: true }, '', [])]).toEqual([true, false, true])
    expect(problemsOf(call, { ok: false })).toHaveLength(1)
  })

  test('a value that the reasons find right, since it changed, is refused all the same', () => {
    const { call } = generatedChecks(JSON.stringify(tool), () => false)
    expect(problemsOf(call, { node: {} })).toEqual([
      expect.stringContaining('does not change while it is read'),
    ])
  })
})
