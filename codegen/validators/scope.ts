import type { CheckTree } from '../../runtime/check-tree/tree.ts'
import { literalSource } from './literal.ts'

/** Shorter literals are printed where they stand. */
const shortLiteral = 24

/** What the source of one check declares before it and imports. */
export class Scope {
  /** Functions of the entry for checks. */
  readonly helpers: Set<string> = new Set()
  /** Names of shared definitions. */
  readonly definitions: Set<string> = new Set()
  /** Constants and functions, each before those that use it. */
  readonly declarations: string[] = []
  readonly #prefix: string
  readonly #printVerdict: (tree: CheckTree, scope: Scope) => string
  readonly #declared = new Map<string, string>()

  /**
   * @param prefix Begins the name of everything that is declared; each check of a file has another.
   * @param printVerdict Prints a part that gets a function of its own. It comes from outside since it prints expressions,
   * which ask for such functions.
   */
  constructor(prefix: string, printVerdict: (tree: CheckTree, scope: Scope) => string) {
    this.#prefix = prefix
    this.#printVerdict = printVerdict
  }

  /** Notes that a function of the entry for checks is called, and gives its name. */
  helper(name: string): string {
    this.helpers.add(name)
    return name
  }

  /** Declares a constant once for each source, and gives its name. */
  declare(source: string, type: string = ''): string {
    const known = this.#declared.get(source)
    if (known !== undefined) return known
    const name = `${this.#prefix}$${this.#declared.size + 1}`
    this.#declared.set(source, name)
    this.declarations.push(`const ${name}${type} = ${source}`)
    return name
  }

  /** Declares the verdict of a part as a function. That of a definition is looked up by each call, as it may come later. */
  verdictFunction(tree: CheckTree): string {
    return this.declare(this.#printVerdict(tree, this).replace(/^\(v\)/, '(v: any): boolean'))
  }

  /** Prints a value; a longer list or object is declared, so that it is made once and not by each check. */
  literal(value: unknown): string {
    const source = literalSource(value)
    const isLong = typeof value === 'object' && value !== null && source.length > shortLiteral
    return isLong ? this.declare(source) : source
  }
}
