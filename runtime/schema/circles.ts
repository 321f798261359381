/** A node on the current path of the depth-first search. */
interface Visit {
  readonly name: string
  readonly index: number
  readonly pending: Iterator<string>
  /** The lowest index of an open node that it can reach (Tarjan's low-link). */
  earliest: number
  isOpen: boolean
  leadsToItself: boolean
}

/**
 * Finds the cycles of a graph (strongly connected components, Tarjan). Nodes of one cycle share a number, a node with an edge to
 * itself has one of its own, nodes outside cycles have none. Takes linear time. Not recursive: a chain of thousands would
 * overflow the stack.
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

/** Closes a node that reaches no earlier open node, together with the open nodes after it: they form a cycle, or it is alone. */
function closeFrom(first: Visit, open: Visit[], circles: Map<string, number>): void {
  const isCircle = open.at(-1) !== first || first.leadsToItself
  for (let last = open.pop(); last !== undefined; last = open.pop()) {
    last.isOpen = false
    if (isCircle) circles.set(last.name, first.index)
    if (last === first) return
  }
}
