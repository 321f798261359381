import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import { askedSchema } from '../../runtime/testing/asked-schema.ts'
import { type TestModel, testModel } from '../../runtime/testing/test-model.ts'
import { toGbnf } from './gbnf.ts'
import { enginesRequire } from './installed.ts'
import { writeTinyModel } from './tiny-model.ts'

/** The parts of `node-llama-cpp` that are used; its types are not there where it is not installed. */
interface LlamaModule {
  getLlama(options: object): Promise<Llama>
  readonly LlamaLogLevel: { readonly error: unknown }
  readonly LlamaCompletion: new (options: {
    contextSequence: Sequence
  }) => {
    generateCompletionWithMeta(
      prompt: string,
      options: object,
    ): Promise<{ readonly response: string; readonly metadata: { readonly stopReason: string } }>
  }
  readonly LlamaGrammarEvaluationState: new (options: { model: object; grammar: object }) => GrammarState
  readonly TokenBias: new (tokenizer: unknown) => { set(token: unknown, bias: { logit: number }): void }
}

interface Llama {
  loadModel(options: { modelPath: string }): Promise<{
    readonly tokenizer: unknown
    readonly tokens: { readonly eos: unknown }
    tokenize(text: string): unknown[]
    createContext(options: object): Promise<{ getSequence(): Sequence }>
  }>
  createGrammar(options: { grammar: string }): Promise<object>
  dispose(): Promise<void>
  /** Internal, and the only way to ask a grammar about a text that it did not sample. */
  readonly _bindings: {
    readonly AddonSampler: {
      canBeNextTokenForGrammarEvaluationState(state: unknown, token: unknown): boolean
      acceptGrammarEvaluationStateToken(state: unknown, token: unknown): void
    }
  }
}

interface GrammarState {
  readonly _state: unknown
}

interface Sequence {
  clearHistory(): Promise<void>
}

/** A model that llama.cpp runs, held to the schema of each request by its grammar sampler. */
export interface LlamaServer {
  readonly baseURL: string
  /** True when the text is a whole answer under the grammar of the schema. */
  accepts(schema: JsonSchema, text: string): Promise<boolean>
  close(): Promise<void>
}

/** Far more than any answer under a bounded grammar needs. */
const mostTokens = 6000

/** Serves a random-weights model over the protocol of the `openai` client, on the loopback interface. */
export async function serveLlama(): Promise<LlamaServer> {
  const folder = mkdtempSync(join(tmpdir(), 'callsheet-llama-'))
  const modelPath = join(folder, 'tiny.gguf')
  writeTinyModel(modelPath)

  const entry = pathToFileURL(enginesRequire.resolve('node-llama-cpp')).href
  const module = (await import(entry)) as LlamaModule
  const { getLlama, LlamaCompletion, LlamaGrammarEvaluationState, LlamaLogLevel, TokenBias } = module
  const llama = await getLlama({
    gpu: false,
    build: 'never',
    skipDownload: true,
    logLevel: LlamaLogLevel.error,
  })
  const model = await llama.loadModel({ modelPath })
  const context = await model.createContext({ contextSize: 8192, sequences: 1, threads: 1 })
  const contextSequence = context.getSequence()
  const completion = new LlamaCompletion({ contextSequence })
  // Random texts would all be as long as they may: the quote that ends them is made likelier.
  const tokenBias = new TokenBias(model.tokenizer)
  for (const token of model.tokenize('"')) tokenBias.set(token, { logit: 3 })

  const grammars = new Map<string, Promise<object>>()
  const grammarOf = (schema: JsonSchema): Promise<object> => {
    const key = JSON.stringify(schema)
    const grammar = grammars.get(key) ?? llama.createGrammar({ grammar: toGbnf(schema) })
    grammars.set(key, grammar)
    return grammar
  }

  let answers = 0
  let last: Promise<unknown> = Promise.resolve()
  const served: TestModel = testModel((request) => {
    const answered = last.then(async () => {
      const schema = askedSchema(request)
      if (!schema) throw new Error('the request holds the model to no schema')
      const grammar = await grammarOf(schema)
      await contextSequence.clearHistory()
      const seed = typeof request.body.seed === 'number' ? request.body.seed : ++answers
      const options = { grammar, maxTokens: mostTokens, temperature: 1, seed, tokenBias }
      const { response, metadata } = await completion.generateCompletionWithMeta('Calls:', options)
      return { text: response, isTruncated: metadata.stopReason === 'maxTokens' }
    })
    // One sequence answers one request at a time; a failed one must not stop those behind it.
    last = answered.catch(() => undefined)
    return answered
  })
  const server = await served.listen()
  return {
    baseURL: server.baseURL,
    async accepts(schema, text) {
      const { AddonSampler } = llama._bindings
      const grammar = await grammarOf(schema)
      const { _state: state } = new LlamaGrammarEvaluationState({ model, grammar })
      const isNext = (token: unknown): boolean =>
        AddonSampler.canBeNextTokenForGrammarEvaluationState(state, token)
      for (const token of model.tokenize(text)) {
        if (!isNext(token)) return false
        AddonSampler.acceptGrammarEvaluationStateToken(state, token)
      }
      return isNext(model.tokens.eos)
    },
    async close() {
      await server.close()
      await llama.dispose()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
