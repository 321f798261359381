import { enabledTools } from './call/accept/find-tool.ts'
import type { RegistryState } from './call/registry-state.ts'
import type { RegistrySurface } from './call/registry-surface.ts'
import { CallsheetError } from './errors.ts'
import type { ToolFinder } from './find/find-tools.ts'
import { isWithoutKeyword } from './keywords/keywords.ts'
import { parseCalls } from './parse/parse.ts'
import { parseTuple } from './parse/parse-tuple.ts'
import type { ParsedCall } from './parse/parsed-call.ts'
import { namedCall, type ToolNamed } from './parse/provider-forms.ts'
import { type FieldRule, isReadable, isString, mapOf } from './problems/field-rule.ts'
import { messageOf } from './problems/message-of.ts'
import { requireArgument } from './problems/option-problems.ts'
import { composableNow } from './registry/composable-now.ts'
import { composeOptionsNow } from './registry/compose-options-now.ts'
import { contextTools } from './registry/context-tools.ts'
import { isParameter } from './schema/is-parameter.ts'
import { jsonOfSchema } from './schema/json-of-schema.ts'
import { providerSafeName } from './schema/tool-name.ts'
import type { IdeaData } from './tools/idea-data.ts'
import { ideaTool, requireIdeaShape } from './tools/idea-tool.ts'
import { registerTool } from './tools/register-tool.ts'
import type { ToolEntry } from './tools/tool-entry.ts'

export { reference } from './context/refer.ts'
export { dateOf } from './json/date-of.ts'
// Imported by generated code in addition to `callsheet/wiring`: everything of a project's `Tool`, `tools`, `calls` and
// `plan` that is not needed to run a Call.
export { callBuilders } from './registry/call-builders.ts'
export { planOf } from './registry/plan-of.ts'
export { parsedToolObject, type ToolObject } from './schema/standard-schema.ts'
export { toolObjects } from './tools/tool-objects.ts'

/** Creates the surface of a registry: what `Tool` can do besides running Calls. */
export function surface(state: RegistryState): RegistrySurface {
  const { tools, events, ideas } = state
  const changed = (tool: string): void => events.emit('tool:changed', { tool })
  return {
    parse: parserOf(state),
    register(name, schema, options) {
      registerTool(tools, name, schema, options)
      changed(name)
    },
    unregister(name) {
      const wasThere = tools.unregister(name)
      if (wasThere) changed(name)
      return wasThere
    },
    addIdea: (name, idea) => {
      ideas.set(name, copyIdea(name, idea))
    },
    fromIdea(name, given) {
      const idea = copyIdea(name, given)
      registerTool(tools, name, ideaTool(name, idea))
      // Only now: a Tool of this name that an earlier Idea made must not run one that is refused.
      ideas.set(name, idea)
      changed(name)
    },
    find: toolFinder(state),
    composable: (context, principal) => composableNow(state, context, principal),
    composeOptions: () => composeOptionsNow(state),
    contextTools: (context) => contextTools(state, context),
  }
}

/** Creates `Tool.parse`: `parse(answer)` reads a whole answer, `parse(name, arguments)` the arguments for one Tool. */
function parserOf(state: RegistryState): RegistrySurface['parse'] {
  function parse(text: unknown): ParsedCall[]
  function parse(name: string, text: unknown): ParsedCall
  function parse(...given: [unknown] | [string, unknown]): ParsedCall[] | ParsedCall {
    if (given.length < 2) {
      requireArgument('Tool.parse', given[0], answer)
      return parseCalls(given[0], {
        positional: (name) => positional(state, name),
        toolNamed: toolsBySentName(state),
      })
    }
    const [name, text] = given as [string, unknown]
    state.tools.require(name)
    requireArgument('Tool.parse', text, answer)
    return namedCall(name, text, '', true)
  }
  return Object.assign(parse, {
    tuple(name: string, text: unknown) {
      const parameters = parameterNames(state, name)
      requireArgument('Tool.parse.tuple', text, answer)
      return parseTuple(name, parameters, text)
    },
  })
}

/**
 * Maps a name that was sent to a provider back to the Tool's own. An unknown name is returned unchanged; the Call then
 * fails with `unknown_tool`.
 */
function toolsBySentName({ tools }: RegistryState): ToolNamed {
  let bySentName: Map<string, string> | undefined
  return (sent) => {
    if (tools.get(sent)) return sent
    bySentName ??= new Map(
      Array.from(tools.entries, ({ facts }) => [providerSafeName(facts.name), facts.name]),
    )
    return bySentName.get(sent) ?? sent
  }
}

/** Creates `Tool.find`. The ranking is loaded with the first question and keeps its index for later ones. */
function toolFinder(state: RegistryState): RegistrySurface['find'] {
  const { tools, finding } = state
  let finder: Promise<ToolFinder> | undefined
  return async (question, options = {}) => {
    requireArgument('Tool.find', options, mapOf('a question, and an object of options after it'))
    finder ??= import('./find/find-tools.ts').then(({ ToolFinder }) => new ToolFinder(finding.search))
    const { context, principal = state.defaults.principal } = options
    const entries = enabledTools(state, tools.entries, context, principal)
    const isGenerated = (entry: ToolEntry): boolean => tools.isGenerated(entry)
    return (await finder).find(question, entries, isGenerated, options, finding.rank)
  }
}

/** Accepts what a model can answer: text or JSON. Refuses functions and objects that cannot be read. */
const answer: FieldRule = [
  (value) =>
    (typeof value !== 'object' && typeof value !== 'function') || value === null || isReadable(value),
  'a text, or Calls as plain JSON',
]

/** Copies an Idea, so that later changes by the caller have no effect. */
function copyIdea(name: string, given: unknown): IdeaData {
  requireArgument('An Idea', name, [isString, 'its name first'])
  const which = `The Idea ${JSON.stringify(name)}`
  let idea: unknown
  try {
    // Within an object: the Idea itself is no schema, and may be of a class.
    idea = JSON.parse(JSON.stringify({ given }, jsonOfSchema)).given
  } catch (cause) {
    throw new CallsheetError('invalid_options', `${which} is not JSON: ${messageOf(cause)}.`, { cause })
  }
  requireIdeaShape(idea, which)
  if (!isWithoutKeyword(idea.schema)) return idea
  throw new CallsheetError('unsupported_schema', `The schema of ${which} has no keyword of JSON Schema.`)
}

/** Returns the names of a Tool's parameters in their declared order: the order of positional arguments. */
function parameterNames(state: RegistryState, name: string): string[] {
  const entry = state.tools.require(name)
  return Object.keys(entry.schema.properties ?? {}).filter((property) => isParameter(entry.facts, property))
}

function positional(state: RegistryState, name: string): string[] | undefined {
  return state.tools.get(name)?.facts.parser === 'tuple' ? parameterNames(state, name) : undefined
}
