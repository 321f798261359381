import { allEffects } from '../../runtime/schema/effects.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import { didYouMean, nearestName } from '../names/nearest-name.ts'
import type { DocTags } from './doc-tags.ts'
import type { Problems } from './problems.ts'

/** The options of the Tool in a function's doc comment. */
export interface FunctionOptions {
  readonly keywords: JsonSchema
  /** Meta-fields that the Tool declares. */
  readonly fields: readonly [string, JsonSchema][]
}

/** Tags that affect how Calls run. Misspelt ones must be reported, not taken for another program's tags. */
const decisive: readonly string[] = ['effects', 'outputPath']

/** Reads `@effects`, `@title`, `@deprecated` and `@outputPath` (TOOL-9). */
export function readOptions(
  { description, tags }: DocTags,
  tool: string,
  problems: Problems,
): FunctionOptions {
  const keywords: JsonSchema = description === undefined ? {} : { description }
  const title = tags.get('title')
  if (title) keywords.title = title.text
  if (tags.has('deprecated')) keywords.deprecated = true
  const said = tags.get('effects')
  if (said && allEffects.includes(said.text)) keywords.effects = said.text
  else if (said) {
    problems.add(
      'function-tag',
      said.node,
      `Tool "${tool}": @effects has to be one of ${allEffects.join(', ')}; got ${JSON.stringify(said.text)}.${didYouMean(said.text, allEffects)}`,
      'Correct it, or remove the tag.',
      tool,
    )
  }
  for (const [name, { node }] of tags) {
    const meant = nearestName(name, decisive)
    if (meant === undefined || meant === name) continue
    const message = `Tool "${tool}": @${name} says nothing. Did you mean @${meant}?`
    problems.add('function-tag', node, message, 'Correct it, or remove the tag.', tool)
  }
  const path = tags.get('outputPath')
  const field: JsonSchema = path?.text ? { type: 'string', const: path.text } : { type: 'string' }
  return { keywords, fields: path ? [['_outputPath', field]] : [] }
}
