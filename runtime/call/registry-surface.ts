import type { ComposableTool } from '../compose/composable.ts'
import type { ComposeOptions } from '../compose/compose.ts'
import type { ContextLike } from '../context/context.ts'
import type { FindOptions } from '../find/find-tools.ts'
import type { FoundTool } from '../find/ranker.ts'
import type { ParseCalls } from '../parse/parse-calls.ts'
import type { IdeaOptions } from '../tools/idea-data.ts'
import type { RegisterToolOptions } from '../tools/register-tool.ts'
import type { ToolEntry } from '../tools/tool-entry.ts'

/**
 * What a registry can do besides running Calls. Injected by the entry, because running an explicit Call needs none of
 * it: `callsheet/wiring`, which generated code imports, stays that small.
 */
export interface RegistrySurface {
  readonly parse: ParseCalls
  register(name: string, schema: object, options?: RegisterToolOptions): void
  /** Removes a Tool. Returns false if no Tool has the name. */
  unregister(name: string): boolean
  /** Registers an Idea for use in `_delegate`, without a Tool. */
  addIdea(name: string, idea: IdeaOptions): void
  /** Registers an Idea, and a Tool that runs it. */
  fromIdea(name: string, idea: IdeaOptions): void
  /** Finds Tools for a question (FIND-1). */
  find(question: string, options?: FindOptions): Promise<FoundTool[]>
  composable(context?: ContextLike, principal?: unknown): ComposableTool[]
  /** Returns the registry's options for `compose`. */
  composeOptions(): ComposeOptions
  /** Lists the Tools in the `tool` Messages of a context. */
  contextTools(context: ContextLike | undefined): ToolEntry[]
}
