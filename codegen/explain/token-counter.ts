import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { systemCode } from '../write/file-system.ts'

/** Counts the tokens of a text. */
export type CountTokens = (text: string) => number

/** Finds the tokenizer that the project has installed; undefined if none. Callsheet does not depend on one, since it is large. */
export async function findTokenCounter(root: string): Promise<CountTokens | undefined> {
  let path: string
  try {
    path = createRequire(join(root, 'package.json')).resolve('gpt-tokenizer')
  } catch (error) {
    if (systemCode(error) === 'MODULE_NOT_FOUND' || systemCode(error)?.startsWith('ERR_PACKAGE'))
      return undefined
    throw error
  }
  const loaded = (await import(pathToFileURL(path).href)) as Record<string, unknown>
  const { encode = (loaded.default as Record<string, unknown> | undefined)?.encode } = loaded
  if (typeof encode !== 'function') return undefined
  return (text) => (encode(text) as readonly unknown[]).length
}
