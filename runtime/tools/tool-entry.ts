import { copyJson } from '../json/json-copy.ts'
import type { ToolSchema } from '../schema/schema.ts'
import type { ToolFacts } from '../schema/tool-facts.ts'
import type { Checks } from '../schema/validator.ts'
import type { ActivityContext } from './activity.ts'

/**
 * Whether a Tool may be composed and run: a constant, or a function of the current context (TOOL-9) and of the
 * principal that a server authenticated (SERVE-6).
 */
export type Enabled = boolean | ((context: ActivityContext, principal: unknown) => boolean)

/** A registered Tool. A generated one parses its schema and loads its checks on first use. */
export interface ToolEntry {
  readonly facts: ToolFacts
  /** Frozen: every Activity, hook and listener receives this same object. */
  readonly schema: ToolSchema
  readonly enabled: Enabled
  /** True for a Tool from a `tool` Message of a context. It may not reach a registered Activity (CALL-11b). */
  readonly isGuest?: boolean
  /** The checks, once they are loaded. */
  checks: Checks | undefined
  loadChecks(): Promise<Checks>
}

/** A generated Tool: facts and the schema's text, with compiled checks in a module of its own. */
export interface GeneratedTool {
  readonly facts: ToolFacts
  /** The schema as JSON text, parsed on first access. */
  readonly text: string
  /** Imports the Tool's own module. */
  readonly load: () => Promise<{ readonly checks: Checks }>
}

/**
 * Creates a generated Tool. Generated code calls this instead of writing literals, which take TypeScript far longer to
 * check.
 */
export function generatedTool(facts: ToolFacts, text: string, load: GeneratedTool['load']): GeneratedTool {
  return { facts, text, load }
}

/** Creates the entry of a generated Tool. */
export function generatedEntry(tool: GeneratedTool, enabled?: Enabled): ToolEntry {
  return new GeneratedEntry(tool, enabled)
}

/**
 * A class, because a thousand are created at every start, and an object literal would create its getter for each of
 * them.
 */
class GeneratedEntry implements ToolEntry {
  readonly facts: ToolFacts
  readonly enabled: Enabled
  checks: Checks | undefined
  readonly #tool: GeneratedTool
  #schema: ToolSchema | undefined

  constructor(tool: GeneratedTool, enabled: Enabled = tool.facts.enabled ?? true) {
    this.facts = tool.facts
    this.enabled = enabled
    this.#tool = tool
  }

  get schema(): ToolSchema {
    this.#schema ??= copyJson(JSON.parse(this.#tool.text) as ToolSchema, true)
    return this.#schema
  }

  async loadChecks(): Promise<Checks> {
    this.checks ??= (await this.#tool.load()).checks
    return this.checks
  }
}

/** Returns the entry with other facts. Not a spread: that would copy neither the getter nor the method of a class. */
export function withFacts(entry: ToolEntry, facts: ToolFacts): ToolEntry {
  const { enabled, isGuest, checks } = entry
  return {
    facts,
    get schema() {
      return entry.schema
    },
    enabled,
    ...(isGuest !== undefined && { isGuest }),
    checks,
    loadChecks: () => entry.loadChecks(),
  }
}

/**
 * Wraps a check of a Call, or one step of a check, so that it does not see the fields that every Call may carry
 * (CALL-1a). For schemas with keywords about the object as a whole, such as `maxProperties`.
 */
export function withoutFreeFields<More extends unknown[]>(
  check: (value: Record<string, unknown>, ...more: More) => boolean,
): (value: Record<string, unknown>, ...more: More) => boolean {
  return (value, ...more) => {
    const { _tool, _reasoningForCall, _activity, _output, ...rest } = value
    return check(rest, ...more)
  }
}
