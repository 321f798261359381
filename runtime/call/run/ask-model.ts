import { CallError } from '../../errors.ts'
import { outputSchema } from '../../schema/output-schema.ts'
import type { ActivityContext } from '../../tools/activity.ts'
import type { ToolEntry } from '../../tools/tool-entry.ts'
import type { PreparedCall } from '../accept/accepted-call.ts'
import { wholeContext } from '../contextual/call-in-context.ts'
import type { LatentRequest } from '../latent.ts'
import type { RegistryState } from '../registry-state.ts'
import type { RunOptions } from '../run-options.ts'
import { tellIdleActivities } from './idle-activities.ts'

/**
 * Asks the configured model for the output of a latent Call, in one Request (CALL-2).
 *
 * @param asked What the Request has of this attempt.
 * @throws CallError `no_model`.
 */
export async function askModel(
  state: RegistryState,
  { entry, delegate }: PreparedCall,
  options: RunOptions,
  asked: Pick<LatentRequest, 'id' | 'call' | 'context' | 'signal' | 'spend'>,
): Promise<unknown> {
  const { scopes } = entry.facts
  const output = outputSchema(entry.schema)
  if (!options.model || output === undefined) throw noModel(state, entry)
  const { call, context } = asked
  const seesAll = !delegate && !(scopes ?? (call._scopes as string[] | undefined))?.length
  const seen: ActivityContext = seesAll ? wholeContext(options, call._instance) : context
  const { confirm, principal } = options
  const isUnder = confirm !== undefined || principal !== undefined
  const under = isUnder ? { under: { confirm, principal } } : undefined
  const request = { ...asked, tool: entry.schema, output, context: seen, ...under }
  return options.model.answer(delegate ? { ...request, delegate } : request)
}

function noModel(state: RegistryState, { facts: { name, activity } }: ToolEntry): CallError {
  const idle = activity === '' ? '' : tellIdleActivities(state, activity ?? name)
  return new CallError(
    'no_model',
    `Tool "${name}" runs latently, the Call carries no _output, and no model is configured to give one. Pass { model } to the run or to createRegistry, or register an Activity.${idle}`,
  )
}
