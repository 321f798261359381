import { copyFileSync, existsSync } from 'node:fs'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import { enginesRequire } from './installed.ts'

/** The parts of `@mlc-ai/web-xgrammar` that are used; its types are not there where it is not installed. */
interface XGrammarModule {
  readonly TokenizerInfo: {
    createTokenizerInfo(
      vocabulary: string[],
      kind: string,
      addPrefixSpace: boolean,
      size: undefined,
      stopTokens: number[],
    ): Promise<object>
  }
  readonly GrammarCompiler: {
    createGrammarCompiler(tokenizer: object, cache: boolean): Promise<Compiler>
  }
  readonly GrammarMatcher: {
    createGrammarMatcher(grammar: object, stopTokens: undefined, endAlone: boolean): Promise<Matcher>
  }
}

interface Compiler {
  compileJSONSchema(
    schema: string,
    anyWhitespace: boolean,
    indent: number,
    separators: [string, string],
    strict: boolean,
  ): Promise<{ dispose(): void }>
}

interface Matcher {
  _acceptString(text: string): boolean
  isTerminated(): boolean
  dispose(): void
}

/** What a model held to a schema by XGrammar could have answered. */
export interface XGrammar {
  /** True when the text is a whole answer under the schema. */
  accepts(text: string): Promise<boolean>
  dispose(): void
}

/** Compiles a schema as a server does: compact JSON, strict, over a small vocabulary. */
export async function xgrammarOf(schema: JsonSchema): Promise<XGrammar> {
  const { TokenizerInfo, GrammarCompiler, GrammarMatcher } = load()
  const tokenizer = await TokenizerInfo.createTokenizerInfo(vocabulary, 'raw', false, undefined, [0])
  const compiler = await GrammarCompiler.createGrammarCompiler(tokenizer, false)
  const grammar = await compiler.compileJSONSchema(JSON.stringify(schema), false, -1, [',', ':'], true)
  return {
    async accepts(text) {
      const matcher = await GrammarMatcher.createGrammarMatcher(grammar, undefined, true)
      const isAccepted = matcher._acceptString(text) && matcher.isTerminated()
      matcher.dispose()
      return isAccepted
    },
    dispose: () => grammar.dispose(),
  }
}

/** A stop token, printable ASCII, and a few longer pieces. */
const vocabulary = [
  '</s>',
  ...Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)),
  ...['\n', '\t', '{"', '":', '"_tool":', 'true', 'false', 'null', '"calls":[', 'é'],
]

/** The package says that it is ESM and holds UMD: only a copy named `.cjs` can be loaded. */
function load(): XGrammarModule {
  const bundle = enginesRequire.resolve('@mlc-ai/web-xgrammar')
  const copy = bundle.replace(/\.js$/, '.cjs')
  if (!existsSync(copy)) copyFileSync(bundle, copy)
  return enginesRequire(copy) as XGrammarModule
}
