import { isJsonObject, own } from '../json/json.ts'
import { keywordNames } from '../keywords/keywords.ts'
import { fixedValue } from '../schema/fixed-value.ts'
import { isMetaField, type MetaField, metaFieldNames } from '../schema/meta-fields.ts'
import { olderDelegateName } from '../schema/older-delegate-name.ts'
import type { JsonSchema, Schema, ToolSchema } from '../schema/schema.ts'
import { withoutOptions } from '../schema/without-options.ts'
import { type AdmittedBranch, admitMetaFields } from './admit-meta-fields.ts'
import type { ReferenceAdmission } from './admit-references.ts'
import type { ComposableTool } from './composable.ts'

/** What decides how one Tool's branch looks. */
export interface BranchOptions {
  /** The instances in the context: a Tool that declares `_instance` offers these and no other (INST-3). */
  readonly instances?: readonly string[] | undefined
  /**
   * The Ideas that a Call may be delegated to, where a Tool leaves that open (REQ-13); `anonymous` always counts. `any`
   * leaves it open, for Ideas that are looked up by other means.
   */
  readonly delegates?: readonly string[] | 'any' | undefined
  /** Where `_output` stands: after the parameters (the default), or with the other meta-fields (REQ-2). */
  readonly outputPosition?: 'last' | 'meta' | undefined
  /** Tools that have an Activity or a delegate carry no `_output`, unless `keep` asks the model to predict it (REQ-2). */
  readonly explicitOutput?: 'keep' | 'omit' | undefined
}

/** Keywords of a Tool's schema that the model is not sent, or that a branch spells itself. */
const notSent = new Set([
  'references',
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

/** Meta-fields that stand in every branch. */
const always: ReadonlySet<string> = new Set(['_tool', '_reasoningForCall', '_activity'])

/** True where a run of its own answers every Call of the Tool: what the caller's model imagines would not count. */
function isAlwaysDelegated({ properties = {}, required = [] }: ToolSchema): boolean {
  return ['_delegate', olderDelegateName].some((field) => {
    const declared = own(properties, field)
    return declared !== undefined && (fixedValue(declared) !== undefined || required.includes(field))
  })
}

/**
 * Makes one Tool's branch as a model fills it (REQ-1): `_tool`, why, `_activity`, the other meta-fields that it declares,
 * its parameters, and its output.
 *
 * @param isSent Whether the model fills a field. By default it fills all of them.
 */
export function branch(
  tool: ComposableTool,
  options: BranchOptions,
  references: ReferenceAdmission,
  isSent: (field: string) => boolean = () => true,
): AdmittedBranch {
  const { schema } = tool
  const compared = comparedParameters(schema)
  const fields = fieldsOf(tool, options, (name, given) =>
    compared.has(name) ? references.leave(given) : references.parameter(given),
  )
  const sent = new Map([...fields].filter(([field]) => isSent(field)))
  const required = requiredOf(schema, sent, isSent)
  return admitMetaFields(
    {
      type: 'object',
      ...(schema.description !== undefined && { description: schema.description }),
      properties: Object.fromEntries(sent),
      required,
      ...wholeObjectKeywords(schema, (part) => references.refinement(part, compared)),
    },
    { names: [...sent.keys()].filter(isMeta), required: required.filter(isMeta).length },
    (definition) => references.known(definition),
  )
}

/** The fields of a branch, in the order in which a model writes them. */
function fieldsOf(
  tool: ComposableTool,
  options: BranchOptions,
  parameter: (name: string, declared: Schema) => Schema,
): Map<string, Schema> {
  const fields = metaFieldsOf(tool, options)
  const output = sentOutput(tool, options)
  const isLast = options.outputPosition !== 'meta'
  if (output !== undefined && !isLast) fields.set('_output', output)
  for (const [name, declared] of Object.entries(tool.schema.properties ?? {})) {
    if (!isMeta(name)) fields.set(name, parameter(name, declared))
  }
  if (output !== undefined && isLast) fields.set('_output', output)
  return fields
}

/** The meta-fields of a branch but `_output`, whose place is an option. */
function metaFieldsOf(
  { name, schema, activity }: ComposableTool,
  options: BranchOptions,
): Map<string, Schema> {
  const declared = schema.properties ?? {}
  const fields = new Map<string, Schema>()
  for (const field of metaFieldNames) {
    const given = own(declared, field) as Schema | undefined
    if (field === '_tool') fields.set(field, { type: 'string', const: name })
    else if (field === '_reasoningForCall') fields.set(field, given ?? reasoning)
    else if (field === '_activity') fields.set(field, { type: 'string', const: activity })
    else if (field !== '_output' && given !== undefined) fields.set(field, metaField(field, given, options))
    const older = field === '_delegate' ? (own(declared, olderDelegateName) as Schema | undefined) : undefined
    if (older !== undefined) fields.set(olderDelegateName, delegateField(older, options))
  }
  return fields
}

/** The declared output, where the model gives it, or is asked to predict it. */
function sentOutput({ schema, activity }: ComposableTool, options: BranchOptions): Schema | undefined {
  const isForModel = activity === '' && !isAlwaysDelegated(schema)
  if (!isForModel && options.explicitOutput !== 'keep') return undefined
  return own(schema.properties ?? {}, '_output') as Schema | undefined
}

function requiredOf(
  { required = [] }: ToolSchema,
  sent: ReadonlyMap<string, Schema>,
  isSent: (field: string) => boolean,
): string[] {
  const needed = new Set(required.filter((field) => field !== '_output' && isSent(field)))
  return [
    ...[...sent.keys()].filter((field) => always.has(field) || needed.has(field)),
    // A name that is required without being declared stays required.
    ...[...needed].filter((field) => !sent.has(field)),
  ]
}

/** What a branch says of the Call as a whole. */
function wholeObjectKeywords(schema: ToolSchema, refined: (part: Schema) => Schema): JsonSchema {
  const kept = Object.entries(withoutOptions(schema)).filter(
    ([keyword]) => !notSent.has(keyword) && !keyword.startsWith('~'),
  )
  const said: JsonSchema = Object.fromEntries(kept)
  for (const keyword of ['allOf', 'anyOf'] as const) {
    if (schema[keyword]) said[keyword] = schema[keyword].map(refined)
  }
  return said
}

function isMeta(field: string): boolean {
  return isMetaField(field) || field === olderDelegateName
}

/** Keywords of a whole Tool that compare its parameters; what they say of a Reference would be wrong. */
const comparing = keywordNames(({ inPlace, name }) => inPlace && name !== 'allOf' && name !== 'anyOf')

/** The parameters that a Tool's whole-object keywords compare: they are written as values only. */
function comparedParameters(schema: JsonSchema): ReadonlySet<string> {
  const names = new Set<string>()
  const addNames = (part: unknown): void => {
    if (Array.isArray(part)) for (const each of part) addNames(each)
    else if (isJsonObject(part)) {
      if (isJsonObject(part.properties)) for (const name of Object.keys(part.properties)) names.add(name)
      for (const [keyword, value] of Object.entries(part)) if (keyword !== 'properties') addNames(value)
    }
  }
  for (const keyword of comparing) addNames(schema[keyword])
  return names
}

function metaField(field: MetaField, declared: Schema, options: BranchOptions): Schema {
  if (field === '_instance') return instanceField(declared, options)
  return field === '_delegate' ? delegateField(declared, options) : declared
}

/** A delegate that the Tool leaves open is one of those that exist. */
function delegateField(declared: Schema, { delegates = [] }: BranchOptions): Schema {
  if (!isJsonObject(declared) || declared.type !== 'string' || delegates === 'any') return declared
  const isOpen = ['const', 'enum', 'pattern', 'format'].every((keyword) => declared[keyword] === undefined)
  return isOpen ? { ...declared, enum: [...new Set([...delegates, 'anonymous'])] } : declared
}

function instanceField(declared: Schema, { instances }: BranchOptions): Schema {
  if (!instances?.length) return declared
  const description = isJsonObject(declared) ? declared.description : undefined
  return { type: 'string', ...(description !== undefined && { description }), enum: [...instances] }
}
