import type { CheckTree } from '../../runtime/check-tree/tree.ts'
import { literalSource } from './literal.ts'

/** Shorter literals are printed inline. */
const shortLiteral = 24

/** The declarations and imports of one check's source. */
export class Scope {
  /** Names imported from `callsheet/checks`. */
  readonly helpers: Set<string> = new Set()
  /** Names of the shared definitions that it uses. */
  readonly definitions: Set<string> = new Set()
  /** Constants and functions, each before those that use it. */
  readonly declarations: string[] = []
  readonly #prefix: string
  readonly #printVerdict: (tree: CheckTree, scope: Scope) => string
  readonly #declared = new Map<string, string>()

  /**
   * @param prefix Prefix of every declared name, unique within a file.
   * @param printVerdict Prints a part as a function of its own. Injected, since it prints expressions, which need such functions.
   */
  constructor(prefix: string, printVerdict: (tree: CheckTree, scope: Scope) => string) {
    this.#prefix = prefix
    this.#printVerdict = printVerdict
  }

  /** Imports a function of `callsheet/checks`, and returns its name. */
  helper(name: string): string {
    this.helpers.add(name)
    return name
  }

  /** Declares a constant once for each source, and returns its name. */
  declare(source: string, type: string = ''): string {
    const known = this.#declared.get(source)
    if (known !== undefined) return known
    const name = `${this.#prefix}$${this.#declared.size + 1}`
    this.#declared.set(source, name)
    this.declarations.push(`const ${name}${type} = ${source}`)
    return name
  }

  /** Declares the verdict of a part as a function. A definition's is looked up at each call, since it may be declared later. */
  verdictFunction(tree: CheckTree): string {
    return this.declare(this.#printVerdict(tree, this).replace(/^\(v\)/, '(v: any): boolean'))
  }

  /** Prints a value. A longer list or object is declared, so that it is created once and not by each check. */
  literal(value: unknown): string {
    const source = literalSource(value)
    const isLong = typeof value === 'object' && value !== null && source.length > shortLiteral
    return isLong ? this.declare(source) : source
  }
}
