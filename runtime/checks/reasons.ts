import type { Problem } from '../errors.ts'
import { furtherProblems } from '../problems/problem.ts'

/** How many problems a check lists; the rest is counted. A hostile value may have one for each of its properties. */
const mostProblems = 100

/** The largest number of problems that a check counts: several shapes may count the same one again. */
const mostCounted = 1_000_000

/** Collects what is wrong with a value: the first problems in full, and the number of the rest. */
export class Reasons {
  readonly #problems = new Set<Problem>()
  #more = 0

  get problems(): Iterable<Problem> {
    return this.#problems
  }

  get isEmpty(): boolean {
    return this.#problems.size === 0
  }

  /** Adds a problem, which is worded only when there is room for it. `word` gets the number of those before. */
  add(word: (earlier: number) => Problem): void {
    if (this.#problems.size < mostProblems) this.#problems.add(word(this.#problems.size))
    else this.#more = Math.min(mostCounted, this.#more + 1)
  }

  /** Adds what another collection found. A problem that is there already is not added again. */
  addAll(other: Reasons): void {
    for (const problem of other.#problems) if (!this.#problems.has(problem)) this.add(() => problem)
    this.#more = Math.min(mostCounted, this.#more + other.#more)
  }

  /** Moves everything to a list of problems, each sentence once: several parts of a schema may expect the same. */
  pushTo(problems: Problem[]): void {
    const said = new Set<string>()
    for (const problem of this.#problems) {
      if (said.has(problem.message)) continue
      said.add(problem.message)
      problems.push(problem)
    }
    if (this.#more > 0) problems.push(furtherProblems(this.#more, this.#more < mostCounted))
  }
}
