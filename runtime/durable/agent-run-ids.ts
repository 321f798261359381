/** Gives each agent of one run an id of its own, the same on every replay: the first has that of the run. */
export function agentRunIds(runId: string): () => string {
  let agents = 0
  return () => {
    agents++
    return agents === 1 ? runId : `${runId}/${agents}`
  }
}
