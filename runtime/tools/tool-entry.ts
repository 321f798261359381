import { copyJson } from '../json/json-copy.ts'
import type { ToolSchema } from '../schema/schema.ts'
import type { ToolFacts } from '../schema/tool-facts.ts'
import type { Checks } from '../schema/validator.ts'
import type { ActivityContext } from './activity.ts'

/**
 * Whether a Tool may be composed and run: fixed, or decided by the context of the moment (TOOL-9) and by who asks, where a server
 * knows (SERVE-6).
 */
export type Enabled = boolean | ((context: ActivityContext, principal: unknown) => boolean)

/** A registered Tool. Schema and checks are made when they are first needed. */
export interface ToolEntry {
  readonly facts: ToolFacts
  /** Frozen: every Activity, hook and listener is handed this one. */
  readonly schema: ToolSchema
  readonly enabled: Enabled
  /** It came with a context, in a `tool` Message, and so reaches no registered Activity (CALL-11b). */
  readonly isGuest?: boolean
  /** The checks, once they are there. */
  checks: Checks | undefined
  loadChecks(): Promise<Checks>
}

/** A Tool of the generator: facts and schema text at hand, compiled checks in a module of its own. */
export interface GeneratedTool {
  readonly facts: ToolFacts
  /** The schema as JSON text, parsed on first access. */
  readonly text: string
  /** Imports the Tool's own module. */
  readonly load: () => Promise<{ readonly checks: Checks }>
}

/** Puts a generated Tool together; generated code goes through it to spare the compiler work. */
export function generatedTool(facts: ToolFacts, text: string, load: GeneratedTool['load']): GeneratedTool {
  return { facts, text, load }
}

/** Makes the entry of a generated Tool. */
export function generatedEntry(tool: GeneratedTool, enabled?: Enabled): ToolEntry {
  return new GeneratedEntry(tool, enabled)
}

/** A class, since a thousand of them are made at every start, and a getter in a literal is made anew for each. */
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

/** The entry with other facts. Spelled out, since a spread leaves out what a class has. */
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
 * Wraps a check of a Call, or one of its ways, for schemas with keywords that look at the object as a whole: the fields
 * that every Call may carry are taken out before it looks (CALL-1a).
 */
export function withoutFreeFields<More extends unknown[]>(
  way: (value: Record<string, unknown>, ...more: More) => boolean,
): (value: Record<string, unknown>, ...more: More) => boolean {
  return (value, ...more) => {
    const { _tool, _reasoningForCall, _activity, _output, ...rest } = value
    return way(rest, ...more)
  }
}
