/**
 * Works out a fact of each name where it can hang on the facts of others. A name is asked again when one that it asked for has
 * changed, and not with every round: a chain of thousands would take thousands of rounds.
 *
 * @param first What each name starts with. Facts must only ever go one way from there.
 */
export function settle<Fact>(
  names: Iterable<string>,
  first: Fact,
  factOf: (name: string, known: (other: string) => Fact | undefined) => Fact,
): ReadonlyMap<string, Fact> {
  const facts = new Map<string, Fact>([...names].map((name) => [name, first]))
  const askers = new Map<string, Set<string>>()
  const pending = new Set(facts.keys())
  // A set can grow while it is walked: who is asked again goes to its end.
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
