import type { Call } from '../context/message.ts'
import type { Reader } from '../context/reader.ts'
import { type Expression, formatPath, parseExpression } from '../context/reference.ts'
import { arrayReader } from '../context/state.ts'
import { isJsonObject } from '../json/json.ts'
import { mapMembers } from '../json/map-members.ts'
import { isPresent } from '../plan/plan-graph.ts'
import type { IsParameter } from '../plan/reads.ts'

/**
 * Rewrites a Call so that it means the same to a receiver that has its context only as a list. If another Call should
 * have written `a` again and did not, a plan hides the old `a`, and `†a || †b` reads `b`; but the list still contains
 * the old `a`. References are not resolved here, since the receiver may restrict them: only the alternatives that the
 * plan hides are removed.
 */
export function withSeenAlternatives(call: Call, view: Reader, isParameter: IsParameter): Call {
  let list: Reader | undefined
  const replaced = (value: unknown): unknown => {
    if (typeof value === 'string') {
      if (!value.startsWith('†') || !value.includes('||')) return value
      const expression = parseExpression(value)
      if (!expression?.daggers || expression.reserved !== undefined) return value
      list ??= arrayReader(view.messages)
      return seenPart(value, expression, call, view, list)
    }
    if (Array.isArray(value)) return value.map((item) => replaced(item))
    return isJsonObject(value) ? mapMembers(value, (item) => replaced(item)) : value
  }
  return mapMembers(call, (value, name) => (isParameter(call, name) ? replaced(value) : value)) as Call
}

function seenPart(text: string, expression: Expression, call: Call, view: Reader, list: Reader): string {
  const isThere = (paths: Expression['alternatives'][number], reader: Reader): boolean =>
    isPresent({ ...expression, alternatives: [paths] }, reader, call)
  const { alternatives } = expression
  const seen = alternatives.filter((paths) => isThere(paths, view) || !isThere(paths, list))
  if (seen.length === alternatives.length || seen.length === 0) return text
  return seen.map((paths) => paths.map(formatPath).join(' && ')).join(' || ')
}
