import type { Call, GivenCall, Message, PlanMessage } from '../context/message.ts'
import { CallError } from '../errors.ts'
import { copyPlain } from '../json/copy-plain.ts'
import { isJsonObject } from '../json/json.ts'
import { copyJson } from '../json/json-copy.ts'
import { mapOf } from '../problems/field-rule.ts'
import { holds, type OptionRules, requireOptionsOf } from '../problems/option-problems.ts'
import { briefly } from '../problems/problem.ts'
import type { ToolSchema } from '../schema/schema.ts'
import { checkPlan, type PlanChecks } from './check-plan.ts'
import type { DeclaredContext } from './declared.ts'
import { planMermaid } from './mermaid.ts'
import { planReading } from './plan-reading.ts'
import { toolsInMessages } from './tools-in-messages.ts'

/** What a plan is checked against. Whatever is left out is not checked. */
export interface PlanOptions {
  /** Schemas by name, such as a project's generated `tools`. Tools in the `tool` Messages of the context are added. */
  readonly tools?: Readonly<Record<string, ToolSchema>> | undefined
  /** The Messages that exist before the plan runs: no step needs to write what is in them. */
  readonly context?: readonly Message[] | undefined
  /** The declared schemas of the context. */
  readonly declared?: DeclaredContext | undefined
}

const planRules: OptionRules<PlanOptions> = {
  // The values are not checked: generated `tools` parse each schema on first access.
  tools: [(value) => isJsonObject(value) && Object.keys(value).length >= 0, 'Tools by name'],
  context: [(value) => Array.isArray(value) && value.every(isJsonObject), 'a list of Messages'],
  declared: mapOf('what `defineContext` declares'),
}

/** The Calls of a plan and their dependency graph. Immutable. */
export interface PlanFacts {
  /** Copies of the Calls, in the order in which they were passed. */
  readonly calls: readonly Call[]
  /** For each Call, the places (indexes) of the Calls that write what it reads. */
  readonly waitsFor: readonly (readonly number[])[]
  /** Returns the Message with which an `Agent` runs the plan, or, with `lazy`, keeps it for later (REQ-10). */
  message(mode?: 'eager' | 'lazy'): PlanMessage
  /** Draws the graph as a Mermaid flowchart. */
  mermaid(): string
}

/** A plan whose Calls the compiler does not know. */
export interface AnyPlan extends PlanFacts {
  /** Returns a plan with one more Call. @throws CallError as {@link plan} does. */
  step(call: GivenCall): AnyPlan
}

/**
 * Creates a plan: Calls of which some read what others write, through References to output paths. The graph is checked
 * at once: every Reference must have a source, and there must be no cycle. A project's generated `plan` is this
 * function with the project's types, which also checks literal plans when they compile (TYPE-3).
 *
 * @throws CallError with every problem: `unknown_tool`, `invalid_call`, `invalid_path`, `unresolved_reference`,
 * `plan_cycle`.
 * @example
 * plan([
 *   { _tool: 'weatherCheck', location: 'Oslo', _outputPath: '†state.weather' },
 *   { _tool: 'advise', weather: '†state.weather' },
 * ]).waitsFor // [[], [0]]
 */
export function plan(calls: readonly GivenCall[] = [], options: PlanOptions = {}): AnyPlan {
  requireOptionsOf('plan', options, planRules)
  const { tools, context, declared } = options
  const schemaOf = (name: string): ToolSchema | undefined =>
    tools && Object.hasOwn(tools, name) ? tools[name] : undefined
  const schemaInContext = toolsInMessages(context ?? [])
  const checks: PlanChecks = {
    declared,
    context,
    ...(tools && {
      tool: (name) => schemaOf(name) ?? schemaInContext(name),
      toolNames: Object.keys(tools),
    }),
  }
  const { isReadable, complete } = planReading(schemaOf, context ?? [])
  if (!holds([Array.isArray, 'a list'], calls)) {
    throw new CallError('invalid_call', `plan takes a list of Calls, got ${briefly(calls)}.`)
  }
  // Safe cast: they are Calls at run time and differ in their types only.
  const copies = calls.map((call) => copyPlain(call as Call, true))
  const completeCalls = copies.map(complete)
  const { waitsFor } = checkPlan(completeCalls, checks, isReadable)
  return {
    calls: copies,
    waitsFor,
    step: (call) => plan([...copies, call], options),
    message: (mode = 'eager') => ({ type: 'plan', plan: copyJson(copies), mode }),
    mermaid: () => planMermaid(completeCalls, context, isReadable),
  }
}
