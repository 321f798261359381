import { type ParserPlugin, parse } from '@babel/parser'
import type { Node } from '@babel/types'

/** Why a source file does not parse, and where, with 1-based line and column. */
export interface SourceProblem {
  readonly message: string
  readonly line: number
  readonly column: number
}

/** A source file as its text reads, or why it does not parse. */
export type ParsedSource = { readonly tree: Node } | { readonly problem: SourceProblem }

/** Parses a TypeScript or JavaScript source by the ending of its name. Mistakes that leave its structure clear are forgiven. */
export function parseSource(text: string, file: string): ParsedSource {
  // The older decorators may stand before parameters, the newer ones behind `export`.
  const parsed = parsedWith(text, [...syntaxOf(file), 'decorators-legacy'])
  if ('tree' in parsed) return parsed
  const other = parsedWith(text, [...syntaxOf(file), 'decorators'])
  return 'tree' in other ? other : parsed
}

function parsedWith(text: string, plugins: ParserPlugin[]): ParsedSource {
  try {
    return {
      tree: parse(withoutShell(text), {
        sourceType: 'module',
        errorRecovery: true,
        attachComment: false,
        plugins,
      }).program,
    }
  } catch (error) {
    const problem = nestingProblem(error) ?? syntaxProblem(error)
    if (problem === undefined) throw error
    return { problem }
  }
}

/** Makes a comment of a first line for a shell that stands behind a byte order mark, which the parser does not expect there. */
function withoutShell(text: string): string {
  return text.replace(/^\uFEFF#!/, ' //')
}

/** The syntax that files of a name may have. JavaScript may have the types of Flow. */
function syntaxOf(file: string): ParserPlugin[] {
  const further: ParserPlugin[] = ['decoratorAutoAccessors', 'deferredImportEvaluation']
  if (/\.[cm]?ts$/.test(file)) return ['typescript', ...further]
  return [file.endsWith('.tsx') ? 'typescript' : 'flow', 'jsx', ...further]
}

/** The problem of a source whose nesting is deeper than the stack; undefined for any other error. */
export function nestingProblem(error: unknown): SourceProblem | undefined {
  const isOverflow = error instanceof RangeError && error.message.includes('call stack')
  return isOverflow ? { message: 'its code nests too deep', line: 1, column: 1 } : undefined
}

function syntaxProblem(error: unknown): SourceProblem | undefined {
  if (!(error instanceof SyntaxError) || !('loc' in error)) return undefined
  const { line, column } = error.loc as { line: number; column: number }
  return { message: error.message.replace(/\s*\(\d+:\d+\)$/, ''), line, column: column + 1 }
}
