import type { Call } from '../../context/message.ts'
import type { Problem } from '../../errors.ts'
import { olderDelegateName } from '../../schema/older-delegate-name.ts'
import type { Checks } from '../../schema/validator.ts'
import type { ActivityContext } from '../../tools/activity.ts'
import type { ToolEntry } from '../../tools/tool-entry.ts'
import { invalidCall } from '../call-errors.ts'
import type { CallRun } from '../call-run.ts'
import { callInContext } from '../contextual/call-in-context.ts'
import { delegateOf } from '../contextual/delegate.ts'
import { findImplementations } from '../run/find-implementations.ts'
import type { Implementations } from '../run/implementation.ts'
import type { PreparedCall } from './accepted-call.ts'
import { checkMetaFields } from './check-meta-fields.ts'
import type { CopiedCall } from './copy-call.ts'

const noContext: ActivityContext = Object.freeze([])

/**
 * Checks everything that can be checked before a Call runs, so that an Activity never sees an invalid one (CALL-1).
 *
 * @throws CallError, with every problem of the first step that found any.
 */
export function prepareCall(
  run: CallRun,
  entry: ToolEntry,
  checks: Checks,
  { call: copied, record, hasMetaFields, touchesContext }: CopiedCall,
): PreparedCall {
  const { facts } = entry
  const { state, options } = run
  const call = hasMetaFields ? withNewerNames(copied) : copied
  if (hasMetaFields) checkMetaFields(facts, call)
  const delegate = touchesContext ? delegateOf(state, entry, call) : undefined
  const implementations = delegate
    ? delegate.implementations(implementationsFor(run, call), options)
    : findImplementations(run, entry, call)
  const inContext = touchesContext ? callInContext(facts, call, options) : undefined
  const { resolved, predicted } = separateOutput(inContext?.call ?? call, hasMetaFields)
  checkParameters(entry, checks, resolved)
  return {
    call: record,
    resolved,
    predicted,
    entry,
    checks,
    implementation: implementations.implementation,
    shadow: implementations.shadow,
    delegated: delegate !== undefined,
    delegate: delegate?.target,
    path: inContext?.path,
    context: inContext?.context() ?? noContext,
  }
}

/**
 * Returns the function that finds what runs a delegated Call. Separate from `prepareCall`: a closure there would keep its
 * variables alive for every Call, delegated or not.
 */
function implementationsFor(run: CallRun, call: Call): (running: ToolEntry) => Implementations {
  return (running) => findImplementations(run, running, call)
}

/** Splits a Call into what the Activity receives and the `_output` that the model predicted. */
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

/** Renames the older name of `_delegate`. */
function withNewerNames(call: Call): Call {
  if (!Object.hasOwn(call, olderDelegateName)) return call
  const { [olderDelegateName]: _delegate, ...rest } = call
  return { ...rest, _delegate } as Call
}
