import { canonicalJson } from '../json/canonical-json.ts'
import { isJsonObject, type JsonObject, own } from '../json/json.ts'
import { isInPlace } from '../keywords/keywords.ts'
import { isMetaField } from './meta-fields.ts'
import { olderDelegateName } from './older-delegate-name.ts'
import type { JsonSchema, Schema } from './schema.ts'
import { childPointer, forEachChildSchema } from './schema-children.ts'
import type { ReportProblem } from './schema-problem.ts'
import type { TargetOf } from './target-of.ts'

/**
 * Reports meta-fields in a part of the root, such as an alternative of its `anyOf`. Nothing would read them: parts apply to the
 * parameters only, so the Tool would have no output schema, for example (TOOL-10). A part may repeat what the root declares.
 */
export function reportHiddenMetaFields(root: JsonSchema, targetOf: TargetOf, report: ReportProblem): void {
  const declared = isJsonObject(root.properties) ? root.properties : {}
  const isRepeated = (name: string, properties: unknown): boolean =>
    canonicalJson(own(declared, name)) === canonicalJson((properties as JsonObject)[name])
  const seen = new Set<JsonSchema>()
  const visit = (part: Schema | undefined, pointer: string): void => {
    if (!isJsonObject(part) || seen.has(part)) return
    seen.add(part)
    const { properties } = part
    for (const name of isJsonObject(properties) ? Object.keys(properties) : []) {
      if (isReadFromRoot(name) && !isRepeated(name, properties)) report(hidden(name, pointer))
    }
    visitParts(part, pointer)
  }
  const visitParts = (schema: JsonSchema, pointer: string): void => {
    if (schema.$ref !== undefined) visit(targetOf(schema), pointer)
    forEachChildSchema(schema, (child, keyword, key) => {
      if (isInPlace(keyword)) visit(child, pointer + childPointer(keyword, key))
    })
  }
  visitParts(root, '')
}

function isReadFromRoot(name: string): boolean {
  return (isMetaField(name) && name !== '_tool') || name === olderDelegateName
}

function hidden(name: string, part: string) {
  return {
    rule: 'hidden-meta-field',
    pointer: part,
    message: `"${name}" is declared in a part of the Tool${part && `, ${part}`}, where it is not read.`,
    fix: `Declare "${name}" among the properties of the Tool itself; parts are about parameters.`,
  }
}
