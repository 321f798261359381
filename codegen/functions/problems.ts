import type { ts } from 'ts-morph'
import type { Finding, SourcePosition } from '../model.ts'
import { portablePath } from '../paths/portable-path.ts'

export type FunctionRule = 'function-diagnostic' | 'function-shape' | 'function-tag' | 'function-type'

/** Collects the findings about a project's functions. */
export class Problems {
  readonly findings: Finding[] = []
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  /** Returns the source position of a node. */
  at(node: ts.Node): SourcePosition {
    return this.position(node.getSourceFile(), node.getStart())
  }

  position(source: ts.SourceFile, offset: number): SourcePosition {
    const { line, character } = source.getLineAndCharacterOfPosition(offset)
    return { file: this.shown(source.fileName), line: line + 1, column: character + 1 }
  }

  /** Returns a file's path relative to the project. */
  shown(path: string): string {
    return portablePath(this.#root, path)
  }

  add(rule: FunctionRule, node: ts.Node, message: string, fix: string, tool?: string): void {
    this.addAt(rule, this.at(node), message, fix, tool)
  }

  addAt(rule: FunctionRule, at: SourcePosition, message: string, fix: string, tool?: string): void {
    this.findings.push({
      rule,
      severity: 'error',
      message,
      fix,
      at,
      ...(tool !== undefined && { tool }),
    })
  }
}
