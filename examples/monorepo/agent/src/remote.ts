import type { ActivityFunction, Outcome } from 'callsheet'

/** An Activity that sends its Calls to the worker at a URL. */
export function remote<Resolved extends object, Output>(worker: string): ActivityFunction<Resolved, Output> {
  return async (call, _tool, _context, run) => {
    const response = await fetch(worker, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': run.id },
      body: JSON.stringify(call),
      signal: run.signal,
    })
    if (!response.ok) throw new Error(`The worker answered ${response.status}: ${await response.text()}`)
    const outcome = (await response.json()) as Outcome
    if (outcome.error) throw Object.assign(new Error(outcome.error.message), { code: outcome.error.code })
    // Not checked here: the registry that runs this Activity holds every output against `_output`.
    return outcome.output as Output
  }
}
