/** Counts the tokens of a text as recent OpenAI models do. */
export type CountTokens = (text: string) => number

/** @returns undefined if gpt-tokenizer is not installed. */
export async function tokenCounter(): Promise<CountTokens | undefined> {
  try {
    const { encode } = await import('gpt-tokenizer/encoding/o200k_base')
    return (text) => encode(text).length
  } catch (thrown) {
    if ((thrown as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw thrown
  }
}
