import { createContext, isCallsheetError } from 'callsheet'
import fc from 'fast-check'
import { expect } from 'vitest'
import { formatPath, parseExpression } from '../../runtime/context/reference.ts'
import { fuzz } from './campaign.ts'
import { hostileText } from './hostile-json.ts'

const piece = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('†', 'state', '.', 'a', '0', "'", "''", '||', '&&', ' ', '|', '&', '††', '☃'),
  },
  { weight: 1, arbitrary: hostileText },
)
const expressionText = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''))

fuzz(
  'OUT-8 any text: parsed or not, the same twice, and what was parsed is spelt back',
  600,
  expressionText,
  (text) => {
    const expression = parseExpression(text)
    expect(parseExpression(`${text}`)).toEqual(expression)
    if (!expression) return
    const spelt = expression.alternatives.map((paths) => paths.map(formatPath).join(' && ')).join(' || ')
    expect(parseExpression(spelt)?.alternatives).toEqual(expression.alternatives)
    for (const path of expression.alternatives.flat()) {
      expect([path.kind, ...path.segments].length).toBeGreaterThan(0)
    }
  },
)

const path = fc
  .tuple(
    fc.constantFrom('state', 'input', 'a b'),
    fc.array(fc.constantFrom('a', 'b', '0', "it's", 'then'), { maxLength: 3 }),
  )
  .map(([kind, segments]) => formatPath({ kind, segments }))

fuzz(
  'OUT-3, OUT-8 any writes, then any reads: a value or a code, and what a reader does changes nothing',
  250,
  fc.record({
    writes: fc.array(
      fc.record({
        data: fc.jsonValue({ maxDepth: 2 }),
        _path: path,
        _outputMethod: fc.constantFrom('set', 'merge', 'assign', 'push', 'concat'),
      }),
      { maxLength: 8 },
    ),
    reads: fc.array(fc.oneof(path, expressionText), { minLength: 1, maxLength: 6 }),
  }),
  ({ writes, reads }) => {
    const context = createContext()
    for (const write of writes) {
      const [, kind = 'state'] = /^†'?([^'.]+)/.exec(write._path) ?? []
      const segments = parseExpression(write._path)?.alternatives[0]?.[0]?.segments ?? []
      const data = segments.reduceRight<unknown>((inner, name) => ({ [name]: inner }), write.data)
      context.append({ type: 'data', kind, ...write, data })
    }
    const before = JSON.stringify(context.messages)
    for (const text of reads) {
      const [first, second] = [attempt(() => context.read(text)), attempt(() => context.read(text))]
      expect(first).toEqual(second)
      if (typeof first === 'object' && first !== null) Reflect.set(first, 'vandalised', true)
      expect(attempt(() => context.read(text))).toEqual(second)
    }
    expect(JSON.stringify(context.messages)).toBe(before)
  },
)

/** What reading gives, or the code of the error that it throws. */
function attempt(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    if (isCallsheetError(error)) return error.code
    throw error
  }
}
