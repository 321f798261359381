/**
 * Computes a fact about each name that may depend on the facts about others. A name is computed again if a name that it depends on
 * has changed, not in every round: a chain of thousands would take thousands of rounds.
 *
 * @param first The initial fact. Facts may only change in one direction from there, so that the computation ends.
 */
export function settle<Fact>(
  names: Iterable<string>,
  first: Fact,
  factOf: (name: string, known: (other: string) => Fact | undefined) => Fact,
): ReadonlyMap<string, Fact> {
  const facts = new Map<string, Fact>([...names].map((name) => [name, first]))
  const askers = new Map<string, Set<string>>()
  const pending = new Set(facts.keys())
  // Iterating a set includes items added meanwhile: a name to compute again is added at the end.
  for (const name of pending) {
    pending.delete(name)
    const fact = factOf(name, (other) => {
      const known = askers.get(other)
      if (known) known.add(name)
      else askers.set(other, new Set([name]))
      return facts.get(other)
    })
    if (fact === facts.get(name)) continue
    facts.set(name, fact)
    for (const asker of askers.get(name) ?? []) pending.add(asker)
  }
  return facts
}
