import fc from 'fast-check'
import { expect } from 'vitest'
import { recursionOf } from '../../runtime/lower/recursion.ts'
import { circlesOf } from '../../runtime/schema/circles.ts'
import { fuzz } from './campaign.ts'

const names = Array.from({ length: 9 }, (_, index) => `D${index}`)
// Also names that lead to definitions which there are not.
const graph = fc.dictionary(
  fc.constantFrom(...names.slice(0, 7)),
  fc.uniqueArray(fc.constantFrom(...names)),
  {
    noNullPrototype: true,
  },
)

/** All that a name leads to in one step or more, by trying. */
function ledTo(from: string, edges: Readonly<Record<string, readonly string[]>>): Set<string> {
  const found = new Set(edges[from])
  for (const name of found) for (const next of edges[name] ?? []) found.add(next)
  return found
}

fuzz(
  'two definitions stand on one circle where each leads to the other, and only there',
  300,
  graph,
  (edges) => {
    const circles = circlesOf(new Map(Object.entries(edges)))
    const alternatives = Object.entries(edges).map(([name, to]) => [
      name,
      { anyOf: to.map((other) => ({ $ref: `#/$defs/${other}` })) },
    ])
    const { leadsBack, baseless } = recursionOf(Object.fromEntries(alternatives))
    const known = Object.keys(edges)
    for (const name of known) {
      expect(circles.has(name)).toBe(ledTo(name, edges).has(name))
      for (const other of known) {
        const isCircle = ledTo(name, edges).has(other) && ledTo(other, edges).has(name)
        expect(circles.has(name) && circles.get(name) === circles.get(other)).toBe(isCircle)
        expect(leadsBack(name, other)).toBe(isCircle)
      }
    }
    expect(baseless).toBe(known.find((name) => ledTo(name, edges).has(name)))
  },
)
