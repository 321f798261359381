import { byCodeUnit, isJsonObject } from '../../runtime/json/json.ts'
import { grouped } from '../../runtime/problems/grouped.ts'
import { withActivitySchema } from '../../runtime/schema/fixed-value.ts'
import { followReferences, mergeRoot } from '../../runtime/schema/merge-root.ts'
import type { JsonSchema, Schema, ToolSchema } from '../../runtime/schema/schema.ts'
import { type SharedMeta, withSharedMeta } from '../../runtime/schema/shared-meta.ts'
import { toolFacts } from '../../runtime/schema/tool-facts.ts'
import { isReadInPlace, toolRoot } from '../../runtime/schema/tool-root.ts'
import { withoutOptions } from '../../runtime/schema/without-options.ts'
import type { Finding, LoadedDefinition, Model, ToolModel } from '../model.ts'
import { fileName } from '../names/file-name.ts'
import { uniqueIdentifiers } from '../names/names.ts'
import { contextKinds } from './context-kinds.ts'
import { definitionDepth } from './definition-depth.ts'
import { expandedSize } from './expanded-size.ts'
import { nameDefinitions } from './name-definitions.ts'
import { PlainCopier } from './plain-copier.ts'
import { problemReporter } from './report-problem.ts'
import { Rewriter } from './rewriter.ts'
import { type PlainDefinition, type Survey, survey } from './survey.ts'

/** The most parts of an expanded schema. Larger ones would freeze every reader. */
const mostParts = 100_000
/** The longest chain of definitions that refer to each other. Recursive readers use a stack frame for each. */
const longestChain = 1_500

export interface BuiltModel {
  /** Complete only if no finding is an error. Otherwise it has the parts that could be built, so that checks can continue. */
  readonly model: Model
  readonly findings: Finding[]
}

/**
 * Phase 2: converts the loaded definitions to plain JSON Schema 2020-12, with shared schemas as separate definitions. Pure:
 * the same definitions in any order give the same model.
 *
 * @param implementedIn The file of each Activity that the project registers, by the Activity's name.
 * @param meta The shared meta-fields of the configuration.
 */
export function buildModel(
  definitions: readonly LoadedDefinition[],
  implementedIn: ReadonlyMap<string, string> = new Map(),
  meta: SharedMeta = {},
): BuiltModel {
  const findings: Finding[] = []
  const copy = { copier: new PlainCopier(), sizes: new Map<object, number>() }
  const sorted = [...definitions].sort(byPlace)
  const plain = sorted
    .filter(({ kind }) => kind !== 'state')
    .map((definition) => plainDefinition(definition, copy, findings))
  const kinds = contextKinds(sorted, findings).map((kind) => plainDefinition(kind, copy, findings))
  const tools = firstOfEachName(plain.filter(({ definition }) => definition.kind === 'tool'))
  const surveyed = survey(
    tools,
    plain.filter(({ definition }) => definition.kind === 'shared'),
    kinds,
    copy.copier.documents,
  )
  const identifiers = uniqueIdentifiers(tools.map(({ definition }) => definition.name))
  const rewriter = new Rewriter(surveyed, nameDefinitions(surveyed, identifiers))
  const parts: ModelParts = { identifiers, surveyed, rewriter, implementedIn, meta: plainMeta(meta) }
  const models = tools.map((tool) => toolModel(tool, parts))
  const context = Object.fromEntries(
    kinds.map(({ definition, root }) => [definition.name, rewriter.inside(root)]),
  )
  const model = {
    tools: models,
    definitions: writtenDefinitions(rewriter, models),
    ...(kinds.length > 0 && { context }),
  }
  return { model, findings }
}

/** Sorts Tools by name. Equal names, and shared schemas, are sorted by their position in the sources. */
function byPlace(left: LoadedDefinition, right: LoadedDefinition): number {
  if (left.name !== right.name) return byCodeUnit(left.name, right.name)
  return (
    byCodeUnit(left.at.file, right.at.file) ||
    left.at.line - right.at.line ||
    left.at.column - right.at.column
  )
}

function plainDefinition(
  definition: LoadedDefinition,
  { copier, sizes }: { copier: PlainCopier; sizes: Map<object, number> },
  findings: Finding[],
): PlainDefinition {
  const report = problemReporter(definition, findings)
  const copied = copier.schema(withActivityName(definition.value), '', report)
  const root = typeof copied === 'boolean' ? {} : copied
  const mistake = tooLarge(root, sizes)
  if (!mistake) return { definition, root, report }
  report({ rule: 'endless-schema', pointer: '', ...mistake })
  return { definition, root: {}, report }
}

function withActivityName(value: object): object {
  const { properties } = value as { properties?: unknown }
  if (!isJsonObject(properties) || typeof properties._activity !== 'string') return value
  return { ...value, properties: withActivitySchema(properties) }
}

function tooLarge(
  root: JsonSchema,
  sizes: Map<object, number>,
): { message: string; fix: string } | undefined {
  if (expandedSize(root, sizes) > mostParts) {
    return {
      message: `written out, it has more than ${grouped(mostParts)} parts.`,
      fix: 'Give schemas that it repeats an $id, or refer to them by name.',
    }
  }
  if (definitionDepth(root) <= longestChain) return undefined
  return {
    message: `its definitions lead from one to the next, more than ${grouped(longestChain)} times.`,
    fix: 'Refer to what a definition only hands on, and let fewer of them lead to others.',
  }
}

/** Keeps the first Tool of each name. The checks report the duplicates. */
function firstOfEachName(tools: readonly PlainDefinition[]): PlainDefinition[] {
  return tools.filter(({ definition }, index) => tools[index - 1]?.definition.name !== definition.name)
}

/** The inputs that every Tool of a model is built with. */
interface ModelParts {
  readonly identifiers: ReadonlyMap<string, string>
  readonly surveyed: Survey
  readonly rewriter: Rewriter
  readonly implementedIn: ReadonlyMap<string, string>
  readonly meta: SharedMeta
}

function toolModel(
  { definition, root, report }: PlainDefinition,
  { identifiers, surveyed, rewriter, implementedIn, meta }: ModelParts,
): ToolModel {
  const { name } = definition
  const { properties: own = {}, ...rest } = toolRoot(
    name,
    mergeRoot(root, (schema) => surveyed.targets.get(schema), report),
    report,
  )
  const properties = withSharedMeta(name, own, meta)
  const written = Object.entries(properties).map(([key, schema]): [string, Schema] => [
    key,
    isReadInPlace(key) && typeof schema !== 'boolean'
      ? rewriter.whole(followReferences(schema, (each) => surveyed.targets.get(each)))
      : rewriter.inside(schema),
  ])
  // Safe cast: the options have the shape of keywords; the rules of `check` validate their values.
  const schema = { ...rewriter.whole(rest), properties: Object.fromEntries(written) } as ToolSchema
  const file = implementedIn.get(toolFacts(name, schema).activity ?? name)
  return {
    name,
    identifier: identifiers.get(name) ?? name,
    fileName: fileName(name),
    schema,
    output: schema.properties?._output,
    get at() {
      return definition.at
    },
    ...(definition.locate && { locate: definition.locate }),
    ...(definition.implementation && { implementation: definition.implementation }),
    ...(definition.idea && { idea: definition.idea }),
    ...(file !== undefined && { implementedIn: file }),
  }
}

/** Drops TypeBox's hidden marks, which a schema in the configuration may have. */
function plainMeta(meta: SharedMeta): SharedMeta {
  return JSON.parse(JSON.stringify(meta)) as SharedMeta // config-rules.ts has checked the shape
}

function writtenDefinitions(rewriter: Rewriter, tools: readonly ToolModel[]): Record<string, JsonSchema> {
  const schemas = new Map(tools.map(({ name, schema }) => [name, schema]))
  const written = new Map<string, JsonSchema>()
  // Rewriting a definition can add further ones to the map, which this loop then visits too.
  for (const [name, definition] of rewriter.reached) {
    const tool = schemas.get(definition.entry.tool ?? '')
    written.set(name, tool ? withoutOptions(tool) : rewriter.definition(definition))
  }
  return Object.fromEntries([...written].sort(([left], [right]) => byCodeUnit(left, right)))
}
