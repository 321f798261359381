import { CallError } from '../../errors.ts'
import { outputSchema } from '../../schema/output-schema.ts'
import type { ActivityContext } from '../../tools/activity.ts'
import type { ToolEntry } from '../../tools/tool-entry.ts'
import type { PreparedCall } from '../accept/accepted-call.ts'
import type { CallRun } from '../call-run.ts'
import { wholeContext } from '../contextual/call-in-context.ts'
import { delegatedOptions } from '../delegated-options.ts'
import type { LatentRequest } from '../latent.ts'
import { describeIdleActivities } from './idle-activities.ts'

/**
 * Asks the configured model for the output of a latent Call, in one Request (CALL-2).
 *
 * @param asked The parts of the LatentRequest that belong to this attempt.
 * @throws CallError `no_model`.
 */
export async function askModel(
  run: CallRun,
  { entry, delegate }: PreparedCall,
  asked: Pick<LatentRequest, 'id' | 'call' | 'context' | 'signal' | 'spend'>,
): Promise<unknown> {
  const { options } = run
  const { scopes } = entry.facts
  const output = outputSchema(entry.schema)
  if (!options.model || output === undefined) throw noModel(run, entry)
  const { call, context } = asked
  // An empty list of scopes counts: it selects nothing.
  const isScoped = delegate || scopes || call._scopes
  const seen: ActivityContext = isScoped ? context : wholeContext(options, call._instance)
  const request = { ...asked, tool: entry.schema, output, context: seen, under: underOf(run) }
  return options.model.answer(delegate ? { ...request, delegate } : request)
}

/**
 * Collects the options that also apply to Calls made while answering. Registry defaults are left out: another registry
 * has its own.
 */
function underOf({ state: { defaults }, options }: CallRun): LatentRequest['under'] {
  const { confirm, principal } = options
  const names = delegatedOptions.filter((name) => options[name] !== defaults[name])
  if (confirm === undefined && principal === undefined && names.length === 0) return undefined
  const run = Object.fromEntries(names.map((name) => [name, options[name]]))
  return { confirm, isDefault: confirm === defaults.confirm, principal, run }
}

function noModel({ state, options }: CallRun, { facts: { name, activity } }: ToolEntry): CallError {
  const idle = activity === '' ? '' : describeIdleActivities(state, activity ?? name, options)
  return new CallError(
    'no_model',
    `Tool "${name}" runs latently, the Call carries no _output, and no model is there to give it. Pass { model } to the run or createRegistry, or register an Activity.${idle}`,
  )
}
