import { isJsonObject, own } from '../../../../runtime/json/json.ts'
import { isSameJson } from '../../../../runtime/json/same-json.ts'
import type { Field, UnionField } from '../../form/field.ts'
import { shownField } from './initial-value.ts'

type Definitions = Readonly<Record<string, Field>>

/** Levels of a value that are compared to find its alternative: enough to distinguish shapes. */
const levels = 3

/** Whether a value has the form of a field, so that its controls can show it. The check alone says whether it is valid. */
export function fits(given: Field, value: unknown, definitions: Definitions, depth = levels): boolean {
  const field = shownField(given, definitions)
  switch (field.kind) {
    case 'text':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number' && (!field.isInteger || Number.isInteger(value))
    case 'flag':
      return typeof value === 'boolean'
    case 'null':
      return value === null
    case 'never':
      return false
    case 'any':
      return true
    case 'choice':
      return field.values.some((each) => isSameJson(each, value))
    case 'union':
      return field.alternatives.some((each) => fits(each.field, value, definitions, depth))
    case 'list': {
      if (!Array.isArray(value)) return false
      if (depth === 0) return true
      return value
        .slice(0, 20)
        .every((item, index) => fits(field.first[index] ?? field.rest, item, definitions, depth - 1))
    }
    case 'object': {
      if (!isJsonObject(value)) return false
      if (depth === 0) return true
      return field.properties.every(({ name, isRequired, field: part }) => {
        const found = own(value, name)
        if (found === undefined) return !isRequired || !isFixed(part)
        return fits(part, found, definitions, depth - 1)
      })
    }
    case 'reference':
      return false
  }
}

function isFixed(field: Field): boolean {
  return field.kind === 'choice' && field.values.length === 1
}

/** Which alternative a value is of: by its tag, by its form, or at least by its type. */
export function alternativeOf(field: UnionField, value: unknown, definitions: Definitions): number {
  const { tag, alternatives } = field
  if (tag && isJsonObject(value)) {
    const said = own(value, tag.name)
    const tagged = tag.values.findIndex((values) => values?.includes(said))
    if (tagged >= 0) return tagged
  }
  for (let depth = levels; depth >= 0; depth--) {
    const found = alternatives.findIndex((each) => fits(each.field, value, definitions, depth))
    if (found >= 0) return found
  }
  return alternatives.findIndex((each) => {
    const { kind } = shownField(each.field, definitions)
    return Array.isArray(value) ? kind === 'list' : isJsonObject(value) && kind === 'object'
  })
}
