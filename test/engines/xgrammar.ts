import { copyFileSync, existsSync } from 'node:fs'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import type { RandomSource } from '../../runtime/testing/random-source.ts'
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
  acceptToken(token: number): boolean
  getNextTokenBitmask(): Promise<Int32Array>
  isTerminated(): boolean
  dispose(): void
}

/** What a model held to a schema by XGrammar could have answered. */
export interface XGrammar {
  /** True when the text is a whole answer under the schema. */
  accepts(text: string): Promise<boolean>
  /**
   * Writes an answer as a model with no sense would: token by token, each a random one of those that the engine lets through.
   *
   * @returns undefined where it does not come to an end.
   */
  write(random: RandomSource): Promise<string | undefined>
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
    async write(random) {
      const matcher = await GrammarMatcher.createGrammarMatcher(grammar, undefined, true)
      let text = ''
      for (let left = mostTokens; left > 0 && !matcher.isTerminated(); left--) {
        const mask = await matcher.getNextTokenBitmask()
        const allowed = vocabulary.flatMap((token, id) =>
          id > 0 && ((mask[id >> 5] ?? 0) >> (id & 31)) & 1 ? Array(weightOf(token)).fill(id) : [],
        )
        const chosen = random.pick(allowed as number[])
        if (!matcher.acceptToken(chosen))
          throw new Error(`refused ${vocabulary[chosen]}, which it let through`)
        text += vocabulary[chosen]
      }
      const isWhole = matcher.isTerminated()
      matcher.dispose()
      return isWhole ? text : undefined
    },
    dispose: () => grammar.dispose(),
  }
}

/** Noise would never hit a path: these are words of the vocabulary. */
const paths = Array.from({ length: 6 }, (_, index) => `†state.w${index}`)

/** A stop token, printable ASCII, and a few longer pieces. */
const vocabulary = [
  '</s>',
  ...Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)),
  ...['\n', '\t', '{"', '":', '"_tool":', 'true', 'false', 'null', '"calls":[', 'é', '†', ...paths],
]

const mostTokens = 2000

/** What ends a value is likelier, or texts and numbers would be endless; and so are Calls, and paths. */
function weightOf(token: string): number {
  if (token === '"' || token === '}') return 60
  if (token === ',' || token === '{') return 40
  if (token === ']') return 20
  return paths.includes(token) ? 15 : 1
}

/** The package says that it is ESM and holds UMD: only a copy named `.cjs` can be loaded. */
function load(): XGrammarModule {
  const bundle = enginesRequire.resolve('@mlc-ai/web-xgrammar')
  const copy = bundle.replace(/\.js$/, '.cjs')
  if (!existsSync(copy)) copyFileSync(bundle, copy)
  return enginesRequire(copy) as XGrammarModule
}
