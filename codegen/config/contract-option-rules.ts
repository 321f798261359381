import { isAbsolute } from 'node:path'
import { dialectNames } from '../../runtime/dialects/dialect-name.ts'
import { isJsonObject } from '../../runtime/json/json.ts'

/** What a list of exceptions has to be; undefined for one that is. */
export function exceptionsFault(value: unknown): string | undefined {
  const isException = (entry: unknown): boolean =>
    isJsonObject(entry) &&
    Object.keys(entry).length === 2 &&
    [entry.change, entry.reason].every((text) => typeof text === 'string' && text.trim() !== '')
  if (Array.isArray(value) && value.every(isException)) return undefined
  return 'a list of { change, reason }: the id that `callsheet diff` prints, and why the change may be'
}

const weightLimits = ['bytes', 'tokens', 'toolBytes', 'toolTokens']

/** What a budget has to be; undefined for one that is. */
export function budgetFault(value: unknown): string | undefined {
  const isFigure = (figure: unknown): boolean =>
    figure === undefined || (Number.isSafeInteger(figure) && (figure as number) >= 0)
  const areLimits = (limits: unknown, more: readonly string[] = []): boolean =>
    isJsonObject(limits) &&
    Object.entries(limits).every(([name, each]) =>
      weightLimits.includes(name) ? isFigure(each) : more.includes(name),
    )
  const isRight = (budget: unknown): boolean => {
    if (!isJsonObject(budget) || !areLimits(budget, ['dialects', 'ratchet'])) return false
    const { dialects = {}, ratchet } = budget
    const isFile =
      ratchet === undefined || (typeof ratchet === 'string' && ratchet !== '' && !isAbsolute(ratchet))
    return (
      isFile &&
      isJsonObject(dialects) &&
      Object.entries(dialects).every(
        ([name, limits]) => dialectNames.some((known) => known === name) && areLimits(limits),
      )
    )
  }
  if (isRight(value)) return undefined
  return `an object of ${weightLimits.join(', ')} (whole numbers), dialects (by name, each with those), and ratchet (a relative path)`
}
