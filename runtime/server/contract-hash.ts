import type { ToolSchema } from '../schema/schema.ts'
import { contractDigits, wireText } from '../schema/wire-form.ts'

/** The hash of what a Tool takes and gives: the same that generated code has as `contract.tools[name]`. */
export function contractHash(schema: ToolSchema): Promise<string> {
  return hashOf(wireText(schema))
}

/** SHA-256 of a text, cut to the hexadecimal digits of a contract. */
export async function hashOf(text: string): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .slice(0, contractDigits)
}
