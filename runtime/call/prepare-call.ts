import type { Call } from '../context/message.ts'
import type { Problem } from '../errors.ts'
import { copyJson } from '../json/json-copy.ts'
import { olderDelegateName } from '../schema/older-delegate-name.ts'
import type { Checks } from '../schema/validator.ts'
import type { ActivityContext } from '../tools/activity.ts'
import type { ToolEntry } from '../tools/tool-entry.ts'
import { checkMetaFields } from './check-meta-fields.ts'
import type { CopiedCall } from './copy-call.ts'
import { type Implementations, implementationsOf } from './implementation.ts'
import { invalidCall } from './invalid-call.ts'
import type { DataPlane } from './load-data-plane.ts'
import type { Extras } from './load-extras.ts'
import type { PreparedCall } from './prepared-call.ts'
import type { RegistryState } from './registry-state.ts'
import type { RunOptions } from './run-options.ts'

/** What preparing a Call works with, loaded beforehand. */
export interface Equipment {
  readonly entry: ToolEntry
  readonly checks: Checks
  /** For a Call that touches its context. */
  readonly plane: DataPlane | undefined
  /** For a run that wants them. */
  readonly extras: Extras | undefined
  /** The Call, copied: nobody else has a hold of it. */
  readonly copy: CopiedCall
}

const noContext: ActivityContext = Object.freeze([])

/**
 * Checks everything that can be known before a Call runs, so that an Activity never sees an invalid one (CALL-1).
 *
 * @throws CallError, with every problem of the step that found some.
 */
export function prepareCall(
  state: RegistryState,
  { entry, checks, plane, extras, copy }: Equipment,
  given: Call,
  options: RunOptions,
  id: string,
): PreparedCall {
  const { facts } = entry
  const { hasMetaFields } = copy
  const call = hasMetaFields ? withNewerNames(copy.call) : copy.call
  if (hasMetaFields) checkMetaFields(facts, call)
  const delegate = plane?.delegateOf(state, entry, call)
  const implementationsFor = (running: ToolEntry): Implementations =>
    implementationsOf(state, running, call, options, id, extras?.implementationsBy)
  const implementations = delegate?.implementations(implementationsFor, options) ?? implementationsFor(entry)
  const inContext = plane?.callInContext(facts, call, options)
  const { resolved, predicted } = separateOutput(inContext?.call ?? call, hasMetaFields)
  checkParameters(entry, checks, resolved)
  const { implementation, shadow } = implementations
  const path = inContext?.path
  return {
    call: path ? copyJson(given) : given,
    resolved,
    predicted,
    entry,
    checks,
    implementation,
    shadow,
    delegated: delegate !== undefined,
    delegate: delegate?.room,
    path,
    context: inContext?.context() ?? noContext,
  }
}

/** The Call as an Activity gets it, and apart from it the prediction. */
function separateOutput(call: Call, hasMetaFields: boolean): Pick<PreparedCall, 'resolved' | 'predicted'> {
  if (!hasMetaFields || !Object.hasOwn(call, '_output')) return { resolved: call, predicted: undefined }
  const { _output, ...rest } = call
  return { resolved: rest as Call, predicted: { output: _output } }
}

function checkParameters(entry: ToolEntry, checks: Checks, resolved: Call): void {
  if (checks.call(resolved)) return
  const problems: Problem[] = []
  checks.call(resolved, '', problems)
  throw invalidCall(`Tool "${entry.facts.name}" cannot take this Call`, problems)
}

function withNewerNames(call: Call): Call {
  if (!Object.hasOwn(call, olderDelegateName)) return call
  const { [olderDelegateName]: _delegate, ...rest } = call
  return { ...rest, _delegate } as unknown as Call
}
