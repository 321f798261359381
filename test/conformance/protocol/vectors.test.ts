import { describe, expect, test } from 'vitest'
import { vectorRunners } from './run-vector.ts'
import { type Vector, vectorsOf } from './vector.ts'

describe.each(Object.entries(vectorRunners))('vectors: %s', (file, run) => {
  test.each(titled(vectorsOf(file)))('%s', (_title, vector) => run(vector))
})

/** So nobody relies on a vector that says nothing: whatever of its `want` is edited to be wrong, it fails. */
describe.each(Object.entries(vectorRunners))('edited to be wrong: %s', (file, run) => {
  const vectors = vectorsOf(file).filter((vector) => spoiled(vector).length > 0)

  test.each(titled(vectors))('%s', async (_title, vector) => {
    for (const { at, want } of spoiled(vector)) {
      const verdict = await Promise.resolve()
        .then(() => run({ ...vector, want }))
        .then(
          () => 'passed',
          () => 'failed',
        )
      expect([at, verdict]).toEqual([at, 'failed'])
    }
  })
})

/** `withinMs` is a limit and no answer; a witness list of nothing can only grow. */
const notAnAnswer = new Set(['/withinMs'])

/** What a vector wants, once for each of its leaves, with another value there. */
function spoiled({ want }: Vector): { at: string; want: unknown }[] {
  return leavesOf(want)
    .filter(({ at }) => !notAnAnswer.has(at))
    .map(({ at, value }) => ({ at, want: replaced(want, at, other(value)) }))
}

function leavesOf(value: unknown, at = ''): { at: string; value: unknown }[] {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return [{ at, value }]
  return Object.entries(value).flatMap(([key, child]) => leavesOf(child, `${at}/${key}`))
}

function other(value: unknown): unknown {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (Array.isArray(value)) return ['something else']
  return typeof value === 'string' ? `${value} else` : 'something else'
}

function replaced(value: unknown, at: string, by: unknown): unknown {
  if (at === '') return by
  const [, key = '', rest = ''] = /^\/([^/]*)(.*)$/.exec(at) ?? []
  if (Array.isArray(value)) {
    return value.map((item, index) => (String(index) === key ? replaced(item, rest, by) : item))
  }
  const object = value as Record<string, unknown>
  return { ...object, [key]: replaced(object[key], rest, by) }
}

function titled(vectors: readonly Vector[]): [title: string, vector: Vector][] {
  return vectors.map((vector) => [`${vector.rule} ${vector.name}`, vector])
}
