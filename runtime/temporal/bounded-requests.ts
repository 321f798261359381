import type { Call } from '../context/message.ts'
import { bytesOf, sentCallName, tooLarge } from '../durable/keep-outcome.ts'
import { CallsheetError } from '../errors.ts'

/** Activities by name, as a workflow calls them. */
export type SentActivities<Result> = Record<string, (request: unknown) => Promise<Result>>

/**
 * Makes a workflow's Activities refuse what is larger than a server accepts. Temporal's SDK would try to send it again and again, and
 * the workflow would wait without end.
 *
 * @throws CallsheetError `invalid_call`, or `invalid_options` for the input of an agent.
 */
export function boundedRequests<Result>(
  activities: SentActivities<Result>,
  mostBytes: number,
): SentActivities<Result> {
  return new Proxy(activities, {
    get: (target, name: string) => async (request: unknown) => {
      requireSmall(name, request, mostBytes)
      return target[name]?.(request)
    },
  })
}

function requireSmall(name: string, request: unknown, mostBytes: number): void {
  const bytes = sizeOf(request, mostBytes)
  if (bytes <= mostBytes) return
  const text = tooLarge(subjectOf(request as Sent), bytes, { engine: 'Temporal (requestBytes)', mostBytes })
  throw new CallsheetError(
    name === 'callsheet:agent' ? 'invalid_options' : 'invalid_call',
    `${text}; or raise requestBytes if the namespace accepts more.`,
  )
}

/** What a request may have that tells it from others. */
interface Sent {
  readonly agent?: string
  readonly call?: Call
}

function subjectOf({ agent, call }: Sent): string {
  if (call && agent !== undefined)
    return `The step "${call._tool}" of the agent "${agent}", with its context,`
  if (call) return sentCallName(call)
  if (agent !== undefined) return `The input of the agent "${agent}"`
  return 'The Calls of the group, with the context that they see,'
}

/** Returns the size of a request; 0 for what is not JSON, which only a payload converter of the user can send. */
function sizeOf(request: unknown, mostBytes: number): number {
  try {
    return bytesOf(request as object, mostBytes)
  } catch {
    return 0
  }
}
