import { composableNow } from './composable-now.ts'
import { contextTools } from './context-tools.ts'
import type { IdeaData } from './idea-data.ts'
import { ideaTool, requireIdeaShape } from './idea-tool.ts'
import { parseTuple } from './parse/parse-tuple.ts'
import { parseCalls } from './parse.ts'
import { registerTool } from './register-tool.ts'
import type { RegistryState } from './registry-state.ts'
import type { RegistrySurface } from './registry-surface.ts'
import { isParameter } from './tool-facts.ts'

// What generated code imports beside the wiring: what a project's `Tool`, `tools` and `calls` can do besides running.
export { callBuilders } from './call-builders.ts'
export { planOf } from './plan-of.ts'
export { reference } from './refer.ts'
export { asToolObject, type ToolObject } from './standard-schema.ts'
export { toolObjects } from './tool-objects.ts'

/** Makes the surface of a registry. */
export function surface(state: RegistryState): RegistrySurface {
  const { tools } = state
  const register: RegistrySurface['register'] = (name, schema, options) =>
    registerTool(tools, name, schema, options)
  return {
    parse: Object.assign((text: unknown) => parseCalls(text, (name) => positional(state, name)), {
      tuple: (name: string, text: unknown) => parseTuple(name, parameterNames(state, name), text),
    }),
    register,
    addIdea: (name, idea) => {
      keepIdea(state, name, idea)
    },
    fromIdea: (name, idea) => register(name, ideaTool(name, keepIdea(state, name, idea))),
    composable: (context) => composableNow(state, context),
    contextTools: (context) => contextTools(tools, context),
  }
}

/** Keeps a copy of an Idea, so that nobody changes it later. */
function keepIdea(state: RegistryState, name: string, given: IdeaData): IdeaData {
  const idea: unknown = JSON.parse(JSON.stringify(given))
  requireIdeaShape(idea, `The Idea "${name}"`)
  state.ideas.set(name, idea)
  return idea
}

/** The parameters of a Tool in their declared order, which is what positional arguments mean. */
function parameterNames(state: RegistryState, name: string): string[] {
  const entry = state.tools.require(name)
  return Object.keys(entry.schema.properties ?? {}).filter((property) => isParameter(entry.facts, property))
}

function positional(state: RegistryState, name: string): string[] | undefined {
  return state.tools.get(name)?.facts.parser === 'tuple' ? parameterNames(state, name) : undefined
}
