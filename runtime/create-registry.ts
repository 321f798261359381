import { runOptionRules } from './call/controls/require-options.ts'
import type { CompositionOptions } from './compose/composition.ts'
import { compositionChoiceRules } from './compose/composition-choices.ts'
import { CallsheetError, isCallsheetError } from './errors.ts'
import { isJsonObject } from './json/json.ts'
import { pointerOf } from './json/json-pointer.ts'
import {
  aFunction,
  isMapOrList,
  isReadable,
  isString,
  mapOf,
  omitRules,
  text,
} from './problems/field-rule.ts'
import { type OptionRules, requireOptionsOf } from './problems/option-problems.ts'
import { listSome } from './problems/problem.ts'
import { makeState } from './registry/make-state.ts'
import { apisOf, type Registry, type RegistryOptions } from './registry/registry.ts'
import type { ActivityApi, ToolApi } from './registry/registry-api.ts'
import { declaredToolName } from './schema/declared-tool-name.ts'
import { requireSharedMeta, type SharedMeta, withSharedMeta } from './schema/shared-meta.ts'
import { surface } from './surface.ts'

const compositionRules: OptionRules<CompositionOptions> = {
  ...compositionChoiceRules,
  kinds: mapOf('schemas by kind'),
  contextText: text,
}

const registryRules: OptionRules<RegistryOptions> = {
  ...omitRules(runOptionRules, 'id'),
  tools: [isMapOrList, 'Tools by name'],
  ideas: mapOf('Ideas by name'),
  meta: [isMapOrList, 'meta-fields that Tools share'],
  declared: [
    (value) =>
      isReadable(value) && Symbol.iterator in value && [...(value as Iterable<unknown>)].every(isString),
    'names of Activities',
  ],
  rank: aFunction,
  search: aFunction,
  ideaTexts: mapOf('Ideas as JSON text by name'),
  compose: [isJsonObject, 'an object of options', { rules: compositionRules }],
}

/**
 * Creates a registry without generated code; `generated/` exports one with types (ACT-1).
 *
 * @throws CallsheetError `unsupported_schema` if Tools cannot be registered: all of them, and why.
 * @example
 * const { Tool, Activity } = createRegistry({ tools: { weatherCheck } })
 * Activity.register('weatherCheck', async (call) => ({ temperature: 21 }))
 * await Tool({ _tool: 'weatherCheck', location: 'Oslo' })
 */
export function createRegistry<Tool = ToolApi, Activity = ActivityApi>(
  options: RegistryOptions = {},
): Registry<Tool, Activity> {
  requireOptionsOf('createRegistry', options, registryRules)
  const { tools = {}, ideas = {}, meta, ...defaults } = options
  if (meta !== undefined) requireSharedMeta(meta)
  const state = makeState(surface, defaults)
  const failures: Failure[] = []
  const byName = new Map<string, object>()
  for (const [key, declared] of Object.entries(tools)) {
    for (const [name, schema] of toolsIn(key, declared)) {
      try {
        // One Tool may have several keys, as those of exports; a second Tool of the name would replace it.
        if ((byName.get(name) ?? schema) !== schema)
          throw new CallsheetError(
            'unsupported_schema',
            `Tool "${name}" cannot be registered: another has its name.`,
          )
        byName.set(name, schema)
        state.surface.register(name, meta === undefined ? schema : addSharedMeta(name, schema, meta))
      } catch (error) {
        if (!isCallsheetError(error)) throw error
        failures.push({ name, error })
      }
    }
  }
  const [failure] = failures
  if (failure) throw failures.length === 1 ? failure.error : allFailures(failures)
  for (const [name, idea] of Object.entries(ideas)) state.surface.addIdea(name, idea)
  return apisOf(state)
}

/** A Tool that cannot be registered. */
interface Failure {
  readonly name: string
  readonly error: CallsheetError
}

/** Reports every Tool that cannot be registered, not only the first. The paths of the problems begin with the Tool's name. */
function allFailures(failures: readonly Failure[]): CallsheetError {
  const [{ error: first }] = failures as [Failure]
  const messages = failures.map(({ error }) => error.message)
  const problems = failures.flatMap(({ name, error }) =>
    (error.problems ?? []).map((each) => ({ ...each, path: pointerOf([name]) + each.path })),
  )
  const what = `${failures.length} Tools cannot be registered.\n${listSome(messages, 10, '\n')}`
  return new CallsheetError(first.code, what, { problems, cause: first })
}

/**
 * Adds the shared meta-fields to a Tool's schema. A schema without properties is returned unchanged: `register` refuses
 * it.
 */
function addSharedMeta(name: string, schema: object, meta: SharedMeta): object {
  const properties: unknown = Reflect.get(schema, 'properties')
  return isJsonObject(properties) ? { ...schema, properties: withSharedMeta(name, properties, meta) } : schema
}

/**
 * Lists the Tools in one entry of the option `tools`. A declared Tool has its name in `_tool`, and the key is only an
 * export name. A toolkit is a map of declared Tools. Anything else is a plain schema, named by its key.
 */
function toolsIn(key: string, declared: object): [name: string, schema: object][] {
  const name = declaredToolName(declared)
  if (name !== undefined) return [[name, declared]]
  const members = isJsonObject(declared) ? Object.values(declared) : []
  const names = members.map(declaredToolName)
  if (names.length === 0 || names.includes(undefined)) return [[key, declared]]
  return members.map((member, index) => [names[index] as string, member as object])
}
