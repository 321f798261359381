import { canonicalJson } from '../../../runtime/json/canonical-json.ts'
import { objectSchema } from '../../../runtime/schema/object-schema.ts'
import type { JsonSchema, Schema } from '../../../runtime/schema/schema.ts'
import { withoutWording } from '../../../runtime/schema/without-wording.ts'
import type { Location } from '../containment/prover.ts'
import { brief } from './brief.ts'
import { schemaAt } from './schema-at.ts'

/** A location in a Tool whose values changed. */
export interface Subject {
  readonly half: 'call' | 'output'
  readonly location: Location
  /** The old and the new schema of that half. */
  readonly before: JsonSchema
  readonly after: JsonSchema
}

/** Describes the change of a location in one line. */
export function describeChange({ half, location, before, after }: Subject): string {
  const [was, is] = [schemaAt(before, location), schemaAt(after, location)]
  const name = placeName(half, location)
  const said = name.charAt(0).toUpperCase() + name.slice(1)
  if (location.length > 0 && !was && is) return `${said} added, ${is.isRequired ? 'required' : 'optional'}.`
  if (location.length > 0 && was && !is) return `${said} removed.`
  if (!was || !is) return `Allowed values of ${name} changed.`
  const parts = keywordChanges(was.schema, is.schema)
  if (was.isRequired !== is.isRequired) parts.unshift(is.isRequired ? 'required now' : 'optional now')
  if (parts.length > 0) return `${said}: ${parts.join('; ')}.`
  const refers = canonicalJson(is.schema).includes('"$ref":')
  return `${said}: ${refers ? 'the definition that it refers to' : 'a rule of a schema around it'} changed.`
}

/** Describes a location: `parameter \`where.folder\``. */
export function placeName(half: 'call' | 'output', location: Location): string {
  if (location.length === 0) return half === 'call' ? 'the Call' : 'the output'
  const path = location
    .map((token, index) =>
      token === '*' || /^\d+$/.test(token) ? `[${token}]` : index === 0 ? token : `.${token}`,
    )
    .join('')
  if (half === 'output') return `output \`${path}\``
  return `${path.startsWith('_') ? 'meta-field' : 'parameter'} \`${path}\``
}

/** Describes each keyword that differs, with its values if they are short. */
function keywordChanges(before: Schema, after: Schema): string[] {
  const [was, is] = [before, after].map((schema) => withoutWording(objectSchema(schema))) as [
    JsonSchema,
    JsonSchema,
  ]
  const keywords = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (keyword) =>
      keyword !== '$defs' && canonicalJson(was[keyword] ?? null) !== canonicalJson(is[keyword] ?? null),
  )
  const [listedBefore, listedAfter] = [valuesOf(was), valuesOf(is)]
  if (listedBefore && listedAfter) {
    const rest = keywords.filter((keyword) => !['enum', 'const', 'type', 'anyOf'].includes(keyword))
    return [
      ...listChange(listedBefore, listedAfter),
      ...rest.map((keyword) => keywordChange(keyword, was, is)),
    ]
  }
  return keywords.map((keyword) => keywordChange(keyword, was, is))
}

function keywordChange(keyword: string, was: JsonSchema, is: JsonSchema): string {
  const [old, now] = [was[keyword], is[keyword]]
  if (old === undefined) return `\`${keyword}\` ${brief(now)} added`
  if (now === undefined) return `\`${keyword}\` ${brief(old)} removed`
  const isSmall = [old, now].every((value) => typeof value !== 'object' || JSON.stringify(value).length <= 40)
  return isSmall ? `\`${keyword}\` ${brief(old)} → ${brief(now)}` : `\`${keyword}\` changed`
}

function listChange(before: readonly unknown[], after: readonly unknown[]): string[] {
  const [was, is] = [before, after].map((list) => new Set(list.map(canonicalJson))) as [
    Set<string>,
    Set<string>,
  ]
  const named = (label: string, texts: readonly string[]): string[] =>
    texts.length === 0
      ? []
      : [
          `${label} ${texts
            .slice(0, 5)
            .map((text) => brief(JSON.parse(text)))
            .join(', ')}${texts.length > 5 ? ` and ${texts.length - 5} more` : ''}`,
        ]
  return [
    ...named(
      'takes',
      [...is].filter((text) => !was.has(text)),
    ),
    ...named(
      'no longer',
      [...was].filter((text) => !is.has(text)),
    ),
  ]
}

function valuesOf(schema: JsonSchema): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema.const]
  if (Array.isArray(schema.enum)) return schema.enum
  const branches = schema.anyOf?.map((branch) => (typeof branch === 'object' ? valuesOf(branch) : undefined))
  return branches?.every((values) => values !== undefined) ? branches.flat() : undefined
}
