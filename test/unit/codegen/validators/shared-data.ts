import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { JsonSchema } from '../../../../runtime/schema/schema.ts'

/** The data beside the checkout, which is never committed: tests that need it are skipped where it is not. */
const shared = fileURLToPath(new URL('../../../../../shared/', import.meta.url))

interface Random {
  f(): number
}

interface Corpus {
  makeCorpus(options: { n: number; seed: number }): { params: JsonSchema; result: JsonSchema }[]
  makeValid(schema: JsonSchema, random: Random): unknown
  makeInvalid(schema: JsonSchema, random: Random): unknown
  rng(seed: number): Random
}

export const corpus: Corpus | undefined = existsSync(`${shared}corpus.mjs`)
  ? await import(pathToFileURL(`${shared}corpus.mjs`).href)
  : undefined

const realToolsPath = `${shared}data/github-mcp-tools.json`

export const realTools: readonly { name: string; inputSchema: JsonSchema }[] | undefined = existsSync(
  realToolsPath,
)
  ? (JSON.parse(readFileSync(realToolsPath, 'utf8')).tools ?? JSON.parse(readFileSync(realToolsPath, 'utf8')))
  : undefined

const suitePath = `${shared}data/json-schema-test-suite/`

/** The folder of the official suite's draft, if it is there. */
export function suiteFolder(draft: string): string | undefined {
  return existsSync(suitePath + draft) ? suitePath + draft : undefined
}
