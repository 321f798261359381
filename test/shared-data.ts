import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Public data that lies beside the checkout and is never committed. Where it is absent, the tests that read it are
 * skipped, and the runner says so.
 */
export function sharedPath(name: string): string {
  return fileURLToPath(new URL(`../../shared/${name}`, import.meta.url))
}

/** The 117 tools of a real MCP server, as a `tools/list` result. */
export const realToolsFile: string = sharedPath('data/github-mcp-tools.json')

export const hasRealTools: boolean = existsSync(realToolsFile)

/** A generator of synthetic tools. */
export const corpusFile: string = sharedPath('corpus.mjs')

export const hasCorpus: boolean = existsSync(corpusFile)
