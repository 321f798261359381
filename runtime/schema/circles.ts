/** A name on the way through a graph. */
interface Visit {
  readonly name: string
  readonly index: number
  readonly pending: Iterator<string>
  /** The index of the first of the open names that it leads back to. */
  earliest: number
  isOpen: boolean
  leadsToItself: boolean
}

/**
 * Finds the circles in a graph: names that lead to each other share a number, a name that leads back to itself has one, and
 * the others have none. Takes time linear to the graph, and no stack, which a chain of thousands would exhaust (Tarjan).
 */
export function circlesOf(graph: ReadonlyMap<string, Iterable<string>>): ReadonlyMap<string, number> {
  const circles = new Map<string, number>()
  const visits = new Map<string, Visit>()
  const open: Visit[] = []
  const enter = (name: string): Visit => {
    const [index, earliest] = [visits.size, visits.size]
    const pending = (graph.get(name) ?? [])[Symbol.iterator]()
    const visit = { name, index, pending, earliest, isOpen: true, leadsToItself: false }
    visits.set(name, visit)
    open.push(visit)
    return visit
  }
  for (const start of graph.keys()) {
    if (visits.has(start)) continue
    const path = [enter(start)]
    for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
      const { done, value: next } = at.pending.next()
      if (done) {
        path.pop()
        const before = path.at(-1)
        if (before) before.earliest = Math.min(before.earliest, at.earliest)
        if (at.earliest === at.index) closeFrom(at, open, circles)
        continue
      }
      if (next === at.name) at.leadsToItself = true
      const seen = visits.get(next)
      if (seen?.isOpen) at.earliest = Math.min(at.earliest, seen.index)
      else if (!seen && graph.has(next)) path.push(enter(next))
    }
  }
  return circles
}

/** Closes a name that leads back to none before it, with those that lead back to it: together they are a circle, or it is alone. */
function closeFrom(first: Visit, open: Visit[], circles: Map<string, number>): void {
  const isCircle = open.at(-1) !== first || first.leadsToItself
  for (let last = open.pop(); last !== undefined; last = open.pop()) {
    last.isOpen = false
    if (isCircle) circles.set(last.name, first.index)
    if (last === first) return
  }
}
