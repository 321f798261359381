import { definitionName } from '../json/definition-reference.ts'
import { isAssertion } from '../keywords/keywords.ts'
import type { JsonSchema } from '../schema/schema.ts'
import type { Lowered, Lowering } from './lowering.ts'
import { described, shortJson } from './words.ts'

const anyValue = 'Any JSON value, as JSON text.'
const matching = 'JSON text that matches'

/** True for a schema that {@link jsonText} made: a string that contains the JSON of a value; if it may be absent, or null. */
export function isJsonText({ type, description = '' }: JsonSchema): boolean {
  const isText = type === 'string' || (Array.isArray(type) && type.join() === 'string,null')
  return isText && (description.includes(anyValue) || description.includes(matching))
}

/** Sends a schema that a dialect cannot express as a string: the value as JSON text. The validator checks the parsed value. */
export function jsonText(node: JsonSchema, lowering: Lowering): Lowered {
  const { description, ...rest } = node
  for (const keyword of Object.keys(rest)) {
    lowering.lose(node, keyword, isAssertion(keyword) ? 'approximated' : 'described')
  }
  lowering.standIn(node, 'json')
  const shape = shapeOf(rest, lowering)
  const sentence = shape === '' ? anyValue : `${matching} ${shape}.`
  return {
    schema: { type: 'string', description: described(description, [sentence]) ?? '' },
    value: { kind: 'json' },
  }
}

/** Describes the schema in words; references are resolved, since the model does not see the definition. */
function shapeOf(rest: JsonSchema, lowering: Lowering): string {
  if (Object.keys(rest).length === 0) return ''
  const name = definitionName(rest.$ref)
  if (name === undefined) return shortJson(rest)
  const target = lowering.definition(name)
  return target ? `${name}: ${shortJson(target)}` : name
}
