import { isAbsolute } from 'node:path'
import { dialectNames } from '../../runtime/dialects/dialect-name.ts'
import { isJsonObject, type JsonObject } from '../../runtime/json/json.ts'

/** Returns what `exceptions` has to be; undefined if the value is valid. */
export function exceptionsFault(value: unknown): string | undefined {
  const isException = (entry: unknown): boolean =>
    isJsonObject(entry) &&
    Object.keys(entry).length === 2 &&
    [entry.change, entry.reason].every((text) => typeof text === 'string' && text.trim() !== '')
  if (Array.isArray(value) && value.every(isException)) return undefined
  return 'a list of { change, reason }: the id that `callsheet diff` prints, and why the change may be'
}

const weightLimits = ['bytes', 'tokens', 'toolBytes', 'toolTokens']

/** What a budget has to be, and what of it is not; undefined for one that is. */
export function budgetFault(value: unknown): string | undefined {
  const expected = `an object of ${weightLimits.join(', ')} (whole numbers), dialects (by name, each with those), and ratchet (a relative path)`
  if (!isJsonObject(value)) return expected
  const wrong = wrongParts(value)
  return wrong.length === 0 ? undefined : `${expected}; not right: ${wrong.join(', ')}`
}

function wrongParts(budget: JsonObject): string[] {
  const { dialects = {}, ratchet, ...limits } = budget
  const isFile =
    ratchet === undefined || (typeof ratchet === 'string' && ratchet !== '' && !isAbsolute(ratchet))
  const inDialects = isJsonObject(dialects)
    ? Object.entries(dialects).flatMap(([name, each]) =>
        dialectNames.some((known) => known === name) && isJsonObject(each)
          ? wrongLimits(each, `dialects.${name}.`)
          : [`dialects.${name}`],
      )
    : ['dialects']
  return [...wrongLimits(limits, ''), ...inDialects, ...(isFile ? [] : ['ratchet'])]
}

function wrongLimits(limits: JsonObject, prefix: string): string[] {
  return Object.entries(limits).flatMap(([name, figure]) => {
    const isFigure = figure === undefined || (Number.isSafeInteger(figure) && (figure as number) >= 0)
    return weightLimits.includes(name) && isFigure ? [] : [`${prefix}${name}`]
  })
}
