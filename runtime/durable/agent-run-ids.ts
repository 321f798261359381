/** Creates unique ids for the agents of one run, the same on every replay: the first has the run's id. */
export function agentRunIds(runId: string): () => string {
  let agents = 0
  return () => {
    agents++
    return agents === 1 ? runId : `${runId}/${agents}`
  }
}
