import { expect, test } from 'vitest'
import { type ImportResult, importTools } from '../../../../codegen/import/import-tools.ts'

function nested(levels: number): object {
  return levels === 0
    ? { type: 'string' }
    : { type: 'object', properties: { inner: nested(levels - 1) }, required: ['inner'] }
}

const tools = [
  { name: 'before', inputSchema: { type: 'object', properties: { x: { type: 'string' } } } },
  { name: 'deep', inputSchema: nested(90) },
  { name: 'later', inputSchema: { type: 'object', properties: { y: { type: 'number' } } } },
]

const failures = ({ findings }: ImportResult): ImportResult['findings'] =>
  findings.filter(({ rule }) => rule === 'import-failed')

/** Runs a step with so many frames of the stack in use. */
function below<Result>(frames: number, step: () => Result): Result {
  return frames === 0 ? step() : below(frames - 1, step)
}

/** The most frames that leave room for anything at all. */
function mostFrames(): number {
  let most = 0
  try {
    for (; ; most += 100) below(most, () => most)
  } catch {
    return most
  }
}

/**
 * Imports with less and less of the stack in use, until there is room for all tools but the deep one: what it throws is an
 * error that no code expects. How much a frame takes changes while the engine optimises, so several times.
 */
function withLittleStack(): ImportResult | undefined {
  for (let sweep = 0; sweep < 10; sweep++) {
    for (let frames = mostFrames(); frames > 0; frames -= 20) {
      try {
        const result = below(frames, () => importTools(tools))
        if (result.files.length === 2 && failures(result).length === 1) return result
        if (result.files.length === tools.length) break
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
      }
    }
  }
  return undefined
}

test('GEN-10 a tool on which Callsheet itself fails is reported, and the others are imported', () => {
  expect(importTools(tools).findings.filter(({ severity }) => severity === 'error')).toEqual([])
  const result = withLittleStack()
  expect(result?.files.map(({ path }) => path)).toEqual(['before.ts', 'later.ts'])
  expect(result && failures(result)).toMatchObject([
    {
      severity: 'error',
      tool: 'deep',
      message: 'Callsheet itself failed on "deep": RangeError: Maximum call stack size exceeded.',
    },
  ])
})
