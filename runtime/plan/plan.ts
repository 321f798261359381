import type { BuiltCall } from '../context/built-call.ts'
import type { Call, Message, PlanMessage } from '../context/message.ts'
import { CallError } from '../errors.ts'
import { copyPlain } from '../json/copy-plain.ts'
import { isJsonObject } from '../json/json.ts'
import { copyJson } from '../json/json-copy.ts'
import { mapOf } from '../problems/field-rule.ts'
import { holds, type OptionRules, requireOptionsOf } from '../problems/option-problems.ts'
import { briefly } from '../problems/problem.ts'
import type { ToolSchema } from '../schema/schema.ts'
import { broughtTools } from './brought-tools.ts'
import { checkPlan, type PlanChecks } from './check-plan.ts'
import type { DeclaredContext } from './declared.ts'
import { planMermaid } from './mermaid.ts'
import { planReading } from './plan-reading.ts'

/** What a plan is checked against; what is not given is not checked. */
export interface PlanOptions {
  /** Schemas by name, such as a project's generated `tools`. Those that the context brings are known besides. */
  readonly tools?: Readonly<Record<string, ToolSchema>> | undefined
  /** What is there before anything runs: reading it needs no step that writes it. */
  readonly context?: readonly Message[] | undefined
  /** The schemas of what contexts hold. */
  readonly declared?: DeclaredContext | undefined
}

const planRules: OptionRules<PlanOptions> = {
  // Not looked into: of generated Tools each is made when it is first asked for.
  tools: [(value) => isJsonObject(value) && Object.keys(value).length >= 0, 'Tools by name'],
  context: [(value) => Array.isArray(value) && value.every(isJsonObject), 'a list of Messages'],
  declared: mapOf('what `defineContext` declares'),
}

/** Calls with the graph of what they read from each other. Nothing of it changes. */
export interface PlanFacts {
  /** Copies of the Calls, in the order in which they were given. */
  readonly calls: readonly Call[]
  /** For each Call the places of those that write what it reads. */
  readonly waitsFor: readonly (readonly number[])[]
  /** The Message that an `Agent` carries out, or keeps for later with `lazy` (REQ-10). */
  message(mode?: 'eager' | 'lazy'): PlanMessage
  /** The graph as a Mermaid flowchart. */
  mermaid(): string
}

/** A plan of which the compiler knows nothing more. */
export interface AnyPlan extends PlanFacts {
  /** A plan of one Call more. @throws CallError as {@link plan} does. */
  step(call: Call | BuiltCall<unknown>): AnyPlan
}

/**
 * Makes a plan: Calls of which some read what others write, through References to output paths. The graph is checked at
 * once: nobody reads what nobody writes, and nobody waits for himself. A project's generated `plan` is this function
 * with the project's types, and so checks literal plans when they compile (TYPE-3).
 *
 * @throws CallError with every problem: `unknown_tool`, `invalid_call`, `invalid_path`, `unresolved_reference`,
 * `plan_cycle`.
 * @example
 * plan([
 *   { _tool: 'weatherCheck', location: 'Oslo', _outputPath: '†state.weather' },
 *   { _tool: 'advise', weather: '†state.weather' },
 * ]).waitsFor // [[], [0]]
 */
export function plan(calls: readonly (Call | BuiltCall<unknown>)[] = [], options: PlanOptions = {}): AnyPlan {
  requireOptionsOf('plan', options, planRules)
  const { tools, context, declared } = options
  const named = (name: string): ToolSchema | undefined =>
    tools && Object.hasOwn(tools, name) ? tools[name] : undefined
  const brought = broughtTools(context ?? [])
  const checks: PlanChecks = {
    declared,
    context,
    ...(tools && { tool: (name) => named(name) ?? brought(name), toolNames: Object.keys(tools) }),
  }
  const { isReadable, whole } = planReading(named, context ?? [])
  if (!holds([Array.isArray, 'a list'], calls)) {
    throw new CallError('invalid_call', `plan takes a list of Calls, got ${briefly(calls)}.`)
  }
  // A built Call is a Call: what it has besides is a type.
  const copies = calls.map((call) => copyPlain(call as Call, true))
  const wholeCalls = copies.map(whole)
  const { waitsFor } = checkPlan(wholeCalls, checks, isReadable)
  return {
    calls: copies,
    waitsFor,
    step: (call) => plan([...copies, call], options),
    message: (mode = 'eager') => ({ type: 'plan', plan: copyJson(copies), mode }),
    mermaid: () => planMermaid(wholeCalls, context, isReadable),
  }
}
