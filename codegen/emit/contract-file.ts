import { createHash } from 'node:crypto'
import { canonicalJson } from '../../runtime/json/canonical-json.ts'
import { byCodeUnit } from '../../runtime/json/json.ts'
import type { ToolSchema } from '../../runtime/schema/schema.ts'
import { contractDigits, wireText } from '../../runtime/schema/wire-form.ts'
import type { GeneratedFile, Model } from '../model.ts'
import { stringLiteral } from '../print/literal.ts'
import { SourceFile } from '../print/source-file.ts'
import { withDefinitions } from './tool-schema.ts'

/**
 * Emits `contract.ts`: a hash per Tool and of the whole, over what is on the wire. Two sides that were generated from
 * definitions that mean the same have the same, whatever they are worded like.
 */
export function emitContract(model: Model): GeneratedFile {
  const file = new SourceFile('contract.ts', ['contract'])
  const tools = [...model.tools]
    .sort((left, right) => byCodeUnit(left.name, right.name))
    .map(({ name, schema }) => [name, contractHash(withDefinitions(schema, model.definitions))] as const)
  const lines = tools.map(([name, hash]) => `    ${stringLiteral(name)}: ${stringLiteral(hash)},\n`)
  file.addDocumented(
    'Hashes of the parameters and outputs, not of their wording: by them two sides tell whether they agree.',
    `export const contract = {
  hash: ${stringLiteral(shortDigest(canonicalJson(tools)))},
  tools: {
${lines.join('')}  },
} as const`,
  )
  return file.done()
}

/** The hash of one Tool's contract. `schema` stands alone, with the definitions that it reaches. */
export function contractHash(schema: ToolSchema): string {
  return shortDigest(wireText(schema))
}

function shortDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, contractDigits)
}
