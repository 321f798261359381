import { isJsonObject, own } from '../json/json.ts'
import { isMetaField, metaFieldNames } from '../schema/meta-fields.ts'
import { olderDelegateName } from '../schema/older-delegate-name.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { admitMetaFields } from './admit-meta-fields.ts'
import type { ComposableTool } from './composable.ts'

/** What decides how one Tool's branch looks. */
export interface BranchOptions {
  /** The instances in the context: a Tool that declares `_instance` offers these and no other (INST-3). */
  readonly instances?: readonly string[] | undefined
  /** Where `_output` stands: after the parameters (the default), or with the other meta-fields (REQ-2). */
  readonly outputPosition?: 'last' | 'meta' | undefined
  /** `omit` leaves `_output` out for Tools that have an Activity (REQ-2). */
  readonly explicitOutput?: 'keep' | 'omit' | undefined
}

/** Options of TOOL-9 and annotations that are for readers and policies, not for the model. */
const notSent = new Set([
  'effects',
  'enabled',
  'parser',
  'parameters',
  'examples',
  '$id',
  '$schema',
  '$defs',
  'definitions',
  'properties',
  'required',
  'type',
  'description',
])

/** The system's own field: the model says why before it says what. Short, since every Tool repeats it. */
const reasoning: JsonSchema = { type: 'string', description: 'Why this call.' }

/**
 * One Tool as a model fills it (REQ-1): `_tool`, why, `_activity`, the other meta-fields that it declares, its
 * parameters, and its output.
 */
export function branch({ name, schema, activity }: ComposableTool, options: BranchOptions): JsonSchema {
  const declared = schema.properties ?? {}
  const fields = new Map<string, Schema>()
  for (const field of metaFieldNames) {
    if (field === '_tool') fields.set(field, { type: 'string', const: name })
    else if (field === '_reasoningForCall') fields.set(field, (own(declared, field) as Schema) ?? reasoning)
    else if (field === '_activity') fields.set(field, { type: 'string', const: activity })
    else if (field === '_output') continue
    else {
      const given = own(declared, field) as Schema | undefined
      if (given !== undefined)
        fields.set(field, field === '_instance' ? instanceField(given, options) : given)
      const older =
        field === '_delegate' ? (own(declared, olderDelegateName) as Schema | undefined) : undefined
      if (older !== undefined) fields.set(olderDelegateName, older)
    }
  }

  const output = own(declared, '_output') as Schema | undefined
  const sendsOutput = output !== undefined && !(activity !== '' && options.explicitOutput === 'omit')
  if (sendsOutput && options.outputPosition === 'meta') fields.set('_output', output)
  for (const [parameter, given] of Object.entries(declared)) {
    if (!isMetaField(parameter) && parameter !== olderDelegateName) fields.set(parameter, given)
  }
  if (sendsOutput && options.outputPosition !== 'meta') fields.set('_output', output)

  const always = new Set(['_tool', '_reasoningForCall', '_activity'])
  const required = new Set((schema.required ?? []).filter((field) => field !== '_output'))
  const order = [...fields.keys()]
  const rest = Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => !notSent.has(keyword) && !keyword.startsWith('~')),
  )
  return admitMetaFields({
    type: 'object',
    ...(schema.description !== undefined && { description: schema.description }),
    properties: Object.fromEntries(fields),
    required: [
      ...order.filter((field) => always.has(field) || required.has(field)),
      // A name that is required without being declared stays required.
      ...[...required].filter((field) => !fields.has(field)),
    ],
    ...rest,
  })
}

function instanceField(declared: Schema, { instances }: BranchOptions): Schema {
  if (!instances?.length) return declared
  const description = isJsonObject(declared) ? declared.description : undefined
  return { type: 'string', ...(description !== undefined && { description }), enum: [...instances] }
}
