import { sha256 } from '../json/sha256.ts'
import type { ToolSchema } from '../schema/schema.ts'
import { contractDigits, wireText } from '../schema/wire-form.ts'

/** The hash of what a Tool takes and gives: the same that generated code has as `contract.tools[name]`. */
export function contractHash(schema: ToolSchema): Promise<string> {
  return shortDigest(wireText(schema))
}

/** The SHA-256 of a text, cut to the hexadecimal digits of a contract. */
export async function shortDigest(text: string): Promise<string> {
  return (await sha256(text)).slice(0, contractDigits)
}
