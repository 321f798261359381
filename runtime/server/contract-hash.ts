import { sha256 } from '../json/sha256.ts'
import type { ToolSchema } from '../schema/schema.ts'
import { contractDigits, wireText } from '../schema/wire-form.ts'

/** Hashes a Tool's parameters and output; equals `contract.tools[name]` of generated code. */
export function contractHash(schema: ToolSchema): Promise<string> {
  return shortDigest(wireText(schema))
}

/** Hashes a text with SHA-256, cut to the digits of a contract. */
export async function shortDigest(text: string): Promise<string> {
  return (await sha256(text)).slice(0, contractDigits)
}
