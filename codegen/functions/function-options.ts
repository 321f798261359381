import { allEffects } from '../../runtime/schema/effects.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import { didYouMean } from '../names/nearest-name.ts'
import { limitingTags } from './constraints.ts'
import type { DocTags } from './doc-tags.ts'
import { misspeltTag } from './known-tags.ts'
import type { Problems } from './problems.ts'

/** The options of the Tool in a function's doc comment. */
export interface FunctionOptions {
  readonly keywords: JsonSchema
  /** Meta-fields that the Tool declares. */
  readonly fields: readonly [string, JsonSchema][]
}

/** Reads `@effects`, `@title`, `@deprecated` and `@outputPath` (TOOL-9). */
export function readOptions(
  { description, tags }: DocTags,
  tool: string,
  problems: Problems,
): FunctionOptions {
  const keywords: JsonSchema = description === undefined ? {} : { description }
  const title = tags.get('title')
  if (title?.text === '') {
    const message = `Tool "${tool}": @title has to be followed by a text.`
    problems.add('function-tag', title.node, message, 'Write it, or remove the tag.', tool)
  } else if (title) keywords.title = title.text
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
    if (limitingTags.includes(name)) {
      const message = `Tool "${tool}": @${name} stands before every @param and @returns, so it limits nothing.`
      problems.add(
        'function-tag',
        node,
        message,
        'Write it below the @param or @returns that it belongs to.',
        tool,
      )
    }
    const misspelt = misspeltTag(name)
    if (misspelt === undefined) continue
    const message = `Tool "${tool}": ${misspelt}`
    problems.add('function-tag', node, message, 'Correct it, or remove the tag.', tool)
  }
  const path = tags.get('outputPath')
  const field: JsonSchema = path?.text ? { type: 'string', const: path.text } : { type: 'string' }
  return { keywords, fields: path ? [['_outputPath', field]] : [] }
}
