import { outputMethods } from '../context/output-methods.ts'
import { parseOutputPath } from '../context/reference.ts'
import { parseScopes } from '../context/scope-list.ts'
import { isCallsheetError } from '../errors.ts'
import { isJsonObject, own } from '../json/json.ts'
import { nearest } from '../problems/nearest.ts'
import { briefly, ended } from '../problems/problem.ts'
import { fixedValue } from '../schema/fixed-value.ts'
import { isMetaField, type MetaField, metaFieldNames } from '../schema/meta-fields.ts'
import { olderDelegateName } from '../schema/older-delegate-name.ts'
import type { JsonSchema, Schema, ToolSchema } from '../schema/schema.ts'
import { schemaError } from '../schema/schema-error.ts'

/** One place where a rule does not hold. */
export interface MetaFieldBreach {
  readonly pointer: string
  /** What there is instead. */
  readonly got: string
  /** What to do, where that is more than the rule's own advice. */
  readonly fix?: string
}

/** Something that must hold of a Tool's schema. */
export interface MetaFieldRule {
  readonly name: string
  /** The meta-field that it is about, if only one. */
  readonly field?: MetaField
  readonly sentence: string
  readonly fix: string
  breaches(schema: ToolSchema): Iterable<MetaFieldBreach>
}

/** What holds of underscore properties (TOOL-2), whether a Tool is generated or registered at run time. */
export const metaFieldRules: readonly MetaFieldRule[] = [
  {
    name: 'unknown-meta-field',
    sentence: `an underscore property is one of the meta-fields ${metaFieldNames.join(', ')}, or listed in the option "parameters"`,
    fix: 'Rename it, or list it as a parameter.',
    *breaches(schema) {
      for (const name of Object.keys(schema.properties ?? {})) {
        if (!name.startsWith('_') || isMetaField(name) || listedParameters(schema).includes(name)) continue
        const [guess] = nearest(name, [...metaFieldNames, olderDelegateName], 1)
        const asParameter = `if it is a parameter, add the option parameters: ['${name}']`
        const fix = guess ? `Did you mean "${guess}"? Or, ${asParameter}.` : `Rename it, or, ${asParameter}.`
        yield { pointer: `/properties/${name}`, got: `"${name}"`, fix }
      }
    },
  },
  {
    name: 'bad-parameters-option',
    sentence: 'the option "parameters" lists underscore properties of the Tool, and no meta-field',
    fix: "List the names as they are declared, such as parameters: ['_from'].",
    *breaches({ parameters, properties = {} }) {
      if (parameters === undefined) return
      const wrong = Array.isArray(parameters)
        ? parameters
            .map((name: unknown) => whyNoParameter(name, properties))
            .filter((why) => why !== undefined)
        : [briefly(parameters)]
      for (const got of wrong) yield { pointer: '/parameters', got }
    },
  },
  metaFieldRule('_activity', 'declares "_activity" as the name of one Activity', {
    fix: "Use Type.Literal('name'), or '' for a latent Tool.",
    fits: (_values, schema) => typeof fixedValue(schema) === 'string',
  }),
  metaFieldRule(
    '_delegate',
    'declares "_delegate" as a string: an Idea, an Activity, "anonymous" or a file',
    {
      fix: "Use Type.Literal('anonymous'), another literal, or Type.String().",
      fits: isText,
    },
  ),
  metaFieldRule('_instance', 'declares "_instance" as a string', {
    fix: 'Use Type.String().',
    fits: isText,
  }),
  metaFieldRule('_reasoningForCall', 'declares "_reasoningForCall" as a string', {
    fix: 'Leave it out (every Call has it), or use Type.String().',
    fits: isText,
  }),
  metaFieldRule('_outputMethod', `declares "_outputMethod" among ${outputMethods.join(', ')}`, {
    fix: "Use Type.Literal('push'), or Type.Enum([…]) of these.",
    fits: (values) => areTexts(values) && values.every((value) => outputMethods.includes(value)),
  }),
  metaFieldRule('_outputPath', 'declares "_outputPath" as a string, and a fixed one as a Reference', {
    fix: "Use Type.String(), or a path such as Type.Literal('†state.user.name').",
    fits: (values, schema) =>
      isText(values, schema) && (values ?? []).every((value) => parses(parseOutputPath, value)),
  }),
  metaFieldRule(
    '_scopes',
    'declares "_scopes" as a fixed list, or a list of an enum, of kinds and References',
    {
      fix: "Use Type.Unsafe({ const: ['state'] }) to fix it, or Type.Array(Type.Enum(['state', '†input.user'])) to offer it.",
      fits: fitsScopes,
    },
  ),
]

/**
 * Requires that every underscore property of a Tool can be used. Less strict than `generate`: at run time a meta-field may
 * leave open what it allows, since each Call is checked.
 *
 * @throws CallsheetError `unsupported_schema`, with all problems.
 */
export function requireMetaFields(name: string, schema: ToolSchema): void {
  const { properties = {} } = schema
  const problems = metaFieldRules.flatMap(({ name: rule, field, sentence, fix, breaches }) =>
    field && isOpen(own(properties, field), field === '_scopes' ? 'array' : 'string')
      ? []
      : [...breaches(schema)].map((breach) => ({
          rule,
          pointer: breach.pointer,
          message: `${sentence}; got ${ended(breach.got)}`,
          expected: sentence,
          received: breach.got,
          fix: breach.fix ?? fix,
        })),
  )
  if (problems.length > 0) throw schemaError(`Tool "${name}" cannot be registered`, problems)
}

/** True if a schema fixes no values, and allows those of the type among others. */
function isOpen(schema: unknown, type: 'string' | 'array'): boolean {
  if (!isJsonObject(schema)) return schema === true
  const { type: declared, items, prefixItems }: JsonSchema = schema
  const allowsType = declared === undefined || [declared].flat().includes(type)
  return allowsType && fixedValues(schema) === undefined && (items ?? prefixItems) === undefined
}

function metaFieldRule(
  field: MetaField,
  sentence: string,
  {
    fix,
    fits,
  }: { fix: string; fits: (values: readonly unknown[] | undefined, schema: JsonSchema) => boolean },
): MetaFieldRule {
  return {
    name: 'bad-meta-field',
    field,
    sentence: `a Tool ${sentence}`,
    fix,
    *breaches({ properties = {} }) {
      const schema = own(properties, field)
      if (schema === undefined || (isJsonObject(schema) && fits(fixedValues(schema), schema))) return
      yield { pointer: `/properties/${field}`, got: briefly(schema) }
    },
  }
}

/** Every value that a schema of literals allows, null left out; undefined for any other schema. */
function fixedValues(schema: Schema): readonly unknown[] | undefined {
  if (!isJsonObject(schema)) return undefined
  const { const: literal, enum: values, anyOf = schema.oneOf, type } = schema as JsonSchema
  if (literal !== undefined) return [literal]
  if (Array.isArray(values)) return values.filter((value) => value !== null)
  if (type === 'null') return []
  if (!Array.isArray(anyOf)) return undefined
  const parts = anyOf.map(fixedValues)
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined
}

function isText(values: readonly unknown[] | undefined, { type, anyOf }: JsonSchema): boolean {
  if (values) return areTexts(values)
  const types = [type, ...(anyOf ?? []).map((part) => (isJsonObject(part) ? part.type : undefined))].flat()
  return (
    types.includes('string') &&
    types.every((name) => name === 'string' || name === 'null' || name === undefined)
  )
}

function areTexts(values: readonly unknown[] | undefined): values is readonly string[] {
  return values !== undefined && values.length > 0 && values.every((value) => typeof value === 'string')
}

function fitsScopes(
  values: readonly unknown[] | undefined,
  { type, items, prefixItems }: JsonSchema,
): boolean {
  if (values) return values.every(isScopeList)
  if (type !== 'array') return false
  const entries = prefixItems ?? (isJsonObject(items) ? [items as JsonSchema] : [])
  return (
    entries.length > 0 &&
    entries.every((entry) => {
      const allowed = fixedValues(entry)
      return allowed ? isScopeList(allowed) : isJsonObject(entry) && entry.type === 'string'
    })
  )
}

function isScopeList(list: unknown): boolean {
  if (!Array.isArray(list) || !list.every((entry) => typeof entry === 'string')) return false
  return parses(parseScopes, list)
}

function parses<Input>(parse: (input: Input) => unknown, input: unknown): boolean {
  try {
    // Callers have looked at the type.
    parse(input as Input)
    return true
  } catch (error) {
    if (isCallsheetError(error)) return false
    throw error
  }
}

function whyNoParameter(name: unknown, properties: Record<string, Schema>): string | undefined {
  if (typeof name !== 'string') return briefly(name)
  if (isMetaField(name) || name === olderDelegateName) return `the meta-field "${name}"`
  if (!name.startsWith('_')) return `"${name}", which is a parameter without being listed`
  return Object.hasOwn(properties, name) ? undefined : `"${name}", which is not declared`
}

function listedParameters({ parameters }: ToolSchema): readonly unknown[] {
  return Array.isArray(parameters) ? parameters : []
}
