import type { Settings } from '../config/settings.ts'
import type { Finding, Model } from '../model.ts'
import { didYouMean } from '../names/nearest-name.ts'

/** Finds names in the option `activities` that match no Tool: a misspelt one would leave its Tool to the model. */
export function unknownActivities({ tools }: Model, { activities }: Settings): Finding[] {
  if (!Array.isArray(activities)) return []
  const fixed = tools.map(({ schema }) => JSON.stringify(schema.properties?._activity ?? null))
  const names = tools.map(({ name }) => name)
  return activities
    .filter((name) => !names.includes(name) && !fixed.some((text) => text.includes(JSON.stringify(name))))
    .map((name) => ({
      rule: 'unknown-activity',
      severity: 'warning',
      message: `The option "activities" lists "${name}", and no Tool has an Activity of that name.${didYouMean(name, names)}`,
      fix: 'Correct the name in the configuration, or take it out.',
    }))
}
