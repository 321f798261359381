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

/** Options for the branch of one Tool. */
export interface BranchOptions {
  /** The instances in the context: a Tool that declares `_instance` offers only these (INST-3). */
  readonly instances?: readonly string[] | undefined
  /**
   * The Ideas that a Call may be delegated to if its Tool does not fix `_delegate` (REQ-13); `anonymous` is always one. `any`
   * accepts every string, for Ideas that are found in other ways.
   */
  readonly delegates?: readonly string[] | 'any' | undefined
  /** The position of `_output`: after the parameters (the default), or among the other meta-fields (REQ-2). */
  readonly outputPosition?: 'last' | 'meta' | undefined
  /** Tools with an Activity or a delegate have no `_output` in their branch, unless `keep` asks the model to predict it (REQ-2). */
  readonly explicitOutput?: 'keep' | 'omit' | undefined
}

/** Keywords of a Tool's schema that are not sent to the model, or that a branch sets itself. */
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

/** The schema of `_reasoningForCall`: the model gives its reason before the parameters. Short, since every branch repeats it. */
const reasoning: JsonSchema = { type: 'string', description: 'Why this call.' }

/** Meta-fields in every branch. */
const always: ReadonlySet<string> = new Set(['_tool', '_reasoningForCall', '_activity'])

/** True if a delegate answers every Call of the Tool, so that an output of the calling model would not count. */
function isAlwaysDelegated({ properties = {}, required = [] }: ToolSchema): boolean {
  return ['_delegate', olderDelegateName].some((field) => {
    const declared = own(properties, field)
    return declared !== undefined && (fixedValue(declared) !== undefined || required.includes(field))
  })
}

/**
 * Builds the branch of one Tool (REQ-1): `_tool`, the reason, `_activity`, the other declared meta-fields, the parameters, and
 * the output.
 *
 * @param isSent Returns true for the fields that the model fills. Default: all.
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

/** Returns the fields of a branch, in the order in which a model writes them. */
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

/** Returns the meta-fields of a branch except `_output`, whose position is an option. */
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

/** Returns the declared output if the model fills it or is asked to predict it. */
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
    // A name that is required but not declared stays required.
    ...[...needed].filter((field) => !sent.has(field)),
  ]
}

/** Returns the keywords of a branch that apply to the Call as a whole. */
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

/** Keywords that compare the parameters of a Tool; applied to a Reference they would give wrong results. */
const comparing = keywordNames(({ inPlace, name }) => inPlace && name !== 'allOf' && name !== 'anyOf')

/** Returns the parameters compared by keywords about the whole object: they do not admit References. */
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

/** Restricts a `_delegate` that the Tool does not fix to the delegates that exist. */
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
