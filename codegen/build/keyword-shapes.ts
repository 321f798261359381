import { isJsonObject } from '../../runtime/json/json.ts'
import type { KeywordValue } from '../../runtime/keywords/keyword-table.ts'
import { keywordOf } from '../../runtime/keywords/keywords.ts'

interface Shape {
  readonly wants: string
  fits(value: unknown): boolean
}

const shapes: Partial<Record<KeywordValue, Shape>> = {
  count: { wants: 'a whole number from 0', fits: (value) => Number.isInteger(value) && Number(value) >= 0 },
  number: { wants: 'a number', fits: (value) => Number.isFinite(value) },
  positive: { wants: 'a number above 0', fits: (value) => Number.isFinite(value) && Number(value) > 0 },
  text: { wants: 'a string', fits: isText },
  pattern: { wants: 'a string', fits: isText },
  flag: { wants: 'true or false', fits: (value) => typeof value === 'boolean' },
  nullable: { wants: 'true or false', fits: (value) => typeof value === 'boolean' },
  names: { wants: 'a list of strings', fits: areTexts },
  type: { wants: 'a string or a list of strings', fits: (value) => isText(value) || areTexts(value) },
  values: { wants: 'a list of values', fits: Array.isArray },
  schemas: { wants: 'a list of schemas', fits: Array.isArray },
  schemasByName: { wants: 'an object with schemas as members', fits: isJsonObject },
  schemasByPattern: { wants: 'an object with schemas as members', fits: isJsonObject },
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText)
}

/** Returns the shape that a keyword's value needs to be copied; undefined if it may be anything. */
export function keywordShape(keyword: string): Shape | undefined {
  if (keyword === '$ref') return { wants: 'a string, such as the $id of a schema', fits: isText }
  const value = keywordOf(keyword)?.value
  return value && shapes[value]
}
