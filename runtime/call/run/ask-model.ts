import { CallError } from '../../errors.ts'
import { outputSchema } from '../../schema/output-schema.ts'
import type { ActivityContext } from '../../tools/activity.ts'
import type { ToolEntry } from '../../tools/tool-entry.ts'
import type { PreparedCall } from '../accept/accepted-call.ts'
import type { CallRun } from '../call-run.ts'
import { wholeContext } from '../contextual/call-in-context.ts'
import { delegatedOptions } from '../delegated-options.ts'
import type { LatentRequest } from '../latent.ts'
import { tellIdleActivities } from './idle-activities.ts'

/**
 * Asks the configured model for the output of a latent Call, in one Request (CALL-2).
 *
 * @param asked What the Request has of this attempt.
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
  // A list that names nothing lets nothing through.
  const isScoped = delegate || scopes || call._scopes
  const seen: ActivityContext = isScoped ? context : wholeContext(options, call._instance)
  const request = { ...asked, tool: entry.schema, output, context: seen, under: underOf(run) }
  return options.model.answer(delegate ? { ...request, delegate } : request)
}

/** What holds for Calls that the answer takes as well: those of another registry have that one's defaults. */
function underOf({ state: { defaults }, options }: CallRun): LatentRequest['under'] {
  const { confirm, principal } = options
  const said = delegatedOptions.filter((name) => options[name] !== defaults[name])
  const given = Object.fromEntries(said.map((name) => [name, options[name]]))
  if (confirm === undefined && principal === undefined && said.length === 0) return undefined
  return { confirm, isDefault: confirm === defaults.confirm, principal, run: given }
}

function noModel({ state, options }: CallRun, { facts: { name, activity } }: ToolEntry): CallError {
  const idle = activity === '' ? '' : tellIdleActivities(state, activity ?? name, options)
  return new CallError(
    'no_model',
    `Tool "${name}" runs latently, the Call carries no _output, and no model is configured to give one. Pass { model } to the run or to createRegistry, or register an Activity.${idle}`,
  )
}
