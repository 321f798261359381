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
 * Emits `contract.ts`: hashes of the wire form, per Tool and of all. Definitions with the same meaning have the same hashes,
 * whatever their wording.
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

/** Hashes one Tool's contract. `schema` has to contain the definitions that it uses. */
export function contractHash(schema: ToolSchema): string {
  return shortDigest(wireText(schema))
}

function shortDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, contractDigits)
}
