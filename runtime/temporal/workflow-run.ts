import type { TemporalWorkflowInfo } from './sdk.ts'
import type { ApprovalDesk } from './temporal-agent.ts'

/** What all steps of one run of a workflow share. */
export interface WorkflowRun {
  /** Returns the prefix of the keys of the next steps that the workflow creates: unique, and the same on every replay. */
  nextSteps(): string
  /** Receives the decisions of all its agents. */
  desk?: ApprovalDesk
}

/** Temporal gives each run of a workflow modules of its own, again on a replay; only elsewhere there are several runs here. */
const runs = new Map<string, WorkflowRun>()

/** Returns what is shared by the steps of a run. */
export function workflowRun(info: TemporalWorkflowInfo): WorkflowRun {
  const runId = runIdOf(info)
  const known = runs.get(runId)
  if (known) return known
  let created = 0
  const made: WorkflowRun = {
    nextSteps() {
      created++
      return created === 1 ? runId : `${runId}/steps${created}`
    },
  }
  runs.set(runId, made)
  return made
}

/**
 * Identifies a run of a workflow. Not by the workflow's id alone: a later workflow may have the same, and so has what cron or
 * continue-as-new starts. Their Calls would have the `run.id` of others, and an Activity that uses it as idempotency key would not
 * write again. A workflow that failed and is retried keeps its id, so that it writes nothing twice.
 */
function runIdOf(info: TemporalWorkflowInfo): string {
  const { workflowId, runId, firstExecutionRunId, originalExecutionRunId = runId } = info
  const { continuedFromExecutionRunId, attempt = 1, cronSchedule } = info
  const isRetried = attempt > 1 && !cronSchedule
  const own =
    continuedFromExecutionRunId && !isRetried ? originalExecutionRunId : (firstExecutionRunId ?? runId)
  return own === undefined ? workflowId : `${workflowId}/${own}`
}
