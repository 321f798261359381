import { performance } from 'node:perf_hooks'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { buildModel } from '../../codegen/build/build-model.ts'
import { tool } from '../../runtime/tool.ts'
import { define } from './define.ts'

const address = Type.Object({ street: Type.String(), zip: Type.String() })
const tree = Type.Cyclic(
  { Node: Type.Object({ v: Type.Number(), next: Type.Array(Type.Ref('Node')) }) },
  'Node',
)

const thousand = Array.from({ length: 1000 }, (_, index) =>
  define(
    `tool_${index}`,
    tool(`tool_${index}`, {
      title: Type.String({ description: 'What it is about', minLength: 1 }),
      level: Type.Optional(Type.Enum(['low', 'high'])),
      pair: Type.Tuple([Type.String(), Type.Number()]),
      address: Type.Optional(address),
      items: Type.Array(Type.Object({ id: Type.String(), count: Type.Optional(Type.Integer()) })),
      tree,
      _output: Type.Object({ ok: Type.Boolean(), at: Type.Optional(Type.String({ format: 'date-time' })) }),
    }),
  ),
)

test('1,000 Tools are built in less than 150 ms, warm, on two shared cores', () => {
  let best = Number.POSITIVE_INFINITY
  // The best of several runs, until one is good enough: other processes can only make it slower.
  for (let run = 0; run < 20 && best >= 150; run++) {
    const start = performance.now()
    const { model } = buildModel(thousand)
    best = Math.min(best, performance.now() - start)
    expect(model.tools).toHaveLength(1000)
    expect(Object.keys(model.definitions)).toEqual(['Address', 'Node'])
  }
  expect(best).toBeLessThan(150)
})
