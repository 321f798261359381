import type { Problem } from '../errors.ts'
import { furtherProblems, mostProblems } from '../problems/problem.ts'

/** Largest count of problems: several shapes may count the same problem again. */
const mostCounted = 1_000_000

/** Collects the problems of a value: the first ones in full, and the number of the others. */
export class Reasons {
  readonly #problems = new Set<Problem>()
  #more = 0

  get problems(): Iterable<Problem> {
    return this.#problems
  }

  get isEmpty(): boolean {
    return this.#problems.size === 0
  }

  /** Adds a problem; `word` is only called if it will be listed, with the number of problems before it. */
  add(word: (earlier: number) => Problem): void {
    if (this.#problems.size < mostProblems) this.#problems.add(word(this.#problems.size))
    else this.#more = Math.min(mostCounted, this.#more + 1)
  }

  /** Adds the problems of another collection, without duplicates. */
  addAll(other: Reasons): void {
    for (const problem of other.#problems) if (!this.#problems.has(problem)) this.add(() => problem)
    this.#more = Math.min(mostCounted, this.#more + other.#more)
  }

  /** Moves all problems to a list, each message once: several parts of a schema may expect the same. */
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
