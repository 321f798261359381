import { nearestName } from '../names/nearest-name.ts'
import { isConstraint, limitingTags } from './constraints.ts'

/** Tags that say how a Tool runs. */
const decisiveTags: readonly string[] = ['effects', 'outputPath']

/** Whether a tag is an option of a Tool. */
export function isOption(tag: string): boolean {
  return decisiveTags.includes(tag) || tag === 'tool' || tag === 'title' || tag === 'deprecated'
}

/** Tags of JSDoc and TSDoc that often end a line, in comments of one line above all. */
const commonTags = new Set(
  `abstract alpha async author beta category deprecated example experimental ignore inheritDoc internal override param private
privateRemarks protected public readonly remarks return returns sealed see since template throws title todo typeParam version
virtual`.split(/\s+/),
)

/** Whether a word with an `@` is a tag even within a line: a known one, or one that was meant to be. */
export function isTagAnywhere(name: string): boolean {
  return (
    isConstraint(name) || commonTags.has(name) || decisiveTags.includes(name) || meantTag(name) !== undefined
  )
}

/**
 * Says which tag a misspelt one was meant to be; undefined for any other. Only tags count whose loss would change what a
 * Tool accepts, or how it runs.
 */
export function misspeltTag(name: string): string | undefined {
  const meant = meantTag(name)
  return meant && `Callsheet reads no tag @${name}. Did you mean @${meant}?`
}

function meantTag(name: string): string | undefined {
  const meant = nearestName(name, [...decisiveTags, ...limitingTags])
  return meant === name ? undefined : meant
}
