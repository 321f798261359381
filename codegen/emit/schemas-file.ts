import type { GeneratedFile, Model } from '../model.ts'
import { schemaConstant } from '../names/names.ts'
import { stringLiteral } from '../print/literal.ts'
import { SourceFile } from '../print/source-file.ts'
import { schemaText } from './tool-schema.ts'

/**
 * Emits `schemas.ts`: each Tool's schema as JSON text, which is parsed on first access (GEN-11). No other file contains it,
 * except the composed ones. One constant per Tool, so that a bundle of one Tool's module omits the others. The constants have
 * type annotations: otherwise declaration files would repeat the texts as literal types.
 */
export function emitSchemas({ tools, definitions }: Model): GeneratedFile {
  const names = tools.map(({ identifier }) => schemaConstant(identifier))
  const file = new SourceFile('schemas.ts', names)
  const constants = tools.map(({ schema }, index) => {
    const text = schemaText(schema, definitions)
    return `export const ${names[index]}: string = ${stringLiteral(text)}\n`
  })
  file.add(constants.join('') || 'export {}\n')
  return file.done()
}
