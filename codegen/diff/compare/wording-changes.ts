import { canonicalJson } from '../../../runtime/json/canonical-json.ts'
import { isJsonObject } from '../../../runtime/json/json.ts'
import { wording } from '../../../runtime/keywords/keywords.ts'
import type { JsonSchema, Schema } from '../../../runtime/schema/schema.ts'
import { childPointer, forEachChildSchema } from '../../../runtime/schema/schema-children.ts'
import { toolOptions } from '../../../runtime/schema/tool-options.ts'
import { withoutWording } from '../../../runtime/schema/without-wording.ts'
import type { Change } from '../change.ts'
import type { ContractTool } from '../contract.ts'
import { brief } from './brief.ts'
import { type ChangeParts, makeChange } from './make-change.ts'

/** Finds changes that models see and checks ignore: descriptions, titles, examples, order (DIFF-1: wording). */
export function wordingChanges(before: ContractTool, after: ContractTool, hasWireChange: boolean): Change[] {
  const [was, is] = [schemasByPointer(before.schema), schemasByPointer(after.schema)]
  const changes: Change[] = []
  for (const [pointer, now] of is) {
    const old = was.get(pointer)
    if (old === undefined) continue
    for (const { title, ...difference } of differences(old, now)) {
      const path = pointer.replace(/\/(?:properties|items|anyOf|oneOf|allOf|prefixItems)(?=\/|$)/g, '')
      const place = path === '' ? '' : ` of \`${path.slice(1).replaceAll('/', '.')}\``
      const change = { path, pointer, title: title.replace('%', place), ...difference }
      changes.push(makeChange('wording', after, change))
    }
  }
  if (changes.length > 0 || hasWireChange || isSaidAlike(before.schema, after.schema)) return changes
  return [
    makeChange('wording', after, {
      path: '',
      pointer: '',
      title: 'The schema is written differently and takes the same values.',
      facts: ['schema', withoutWording(before.schema), withoutWording(after.schema)],
      meaning: 'The model sees other text.',
    }),
  ]
}

/** Whether a model sees both schemas alike. It sees no policy options; `references` decides what it is offered. */
function isSaidAlike(before: JsonSchema, after: JsonSchema): boolean {
  const [was, is] = [before, after].map((schema) => {
    const visible = Object.entries(withoutWording(schema)).filter(
      ([name]) => name === 'references' || !Object.hasOwn(toolOptions, name),
    )
    return canonicalJson(Object.fromEntries(visible))
  })
  return was === is
}

/** Yields the differences between two schemas. `%` is a placeholder for the location. */
function* differences(
  old: JsonSchema,
  now: JsonSchema,
): Generator<Pick<ChangeParts, 'title' | 'facts' | 'meaning'>> {
  const meaning = 'The model sees other text and may choose differently. The checks are the same.'
  for (const keyword of wording) {
    const [was, is] = [old[keyword], now[keyword]]
    if (keyword === '$comment' || canonicalJson(was ?? null) === canonicalJson(is ?? null)) continue
    const facts = [keyword, was ?? null, is ?? null]
    const name = keyword.charAt(0).toUpperCase() + keyword.slice(1)
    if (was === undefined) yield { title: `${name}% added: ${brief(is)}.`, facts, meaning }
    else if (is === undefined) yield { title: `${name}% removed: ${brief(was)}.`, facts, meaning }
    else yield { title: `${name}% reworded: ${brief(was)} → ${brief(is)}.`, facts, meaning }
  }
  for (const [keyword, words] of ordered) {
    const [was, is] = [old, now].map((schema) => keysOf(schema[keyword])) as [string[], string[]]
    const kept = [was.filter((key) => is.includes(key)), is.filter((key) => was.includes(key))]
    if (kept[0]?.join('\0') !== kept[1]?.join('\0'))
      yield {
        title: `Order of ${words}% changed.`,
        facts: ['order', keyword, was, is],
        meaning: 'The model sees them in another order. The checks are the same.',
      }
  }
}

/** Keywords whose order is visible to a model. */
const ordered = [
  ['properties', 'the properties'],
  ['enum', 'the values'],
  ['anyOf', 'the alternatives'],
  ['oneOf', 'the alternatives'],
] as const

function keysOf(value: unknown): string[] {
  if (Array.isArray(value))
    return value.map((item) =>
      canonicalJson(typeof item === 'object' && item !== null ? withoutWording(item as JsonSchema) : item),
    )
  return isJsonObject(value) ? Object.keys(value).filter((key) => !key.startsWith('_')) : []
}

/** Maps every nested schema by its JSON pointer. */
function schemasByPointer(
  schema: Schema,
  pointer: string = '',
  found: Map<string, JsonSchema> = new Map(),
): Map<string, JsonSchema> {
  if (typeof schema === 'boolean') return found
  found.set(pointer, schema)
  forEachChildSchema(schema, (child, keyword, key) => {
    schemasByPointer(child, `${pointer}${childPointer(keyword, key)}`, found)
  })
  return found
}
