import { createHash } from 'node:crypto'
import type { Decision } from '../../../runtime/agent/approvals/approval.ts'
import { isJsonObject, type JsonObject } from '../../../runtime/json/json.ts'
import { ServerProblem } from '../../../runtime/server/problem-response.ts'
import type { BenchTool, Workbench } from '../bench/workbench.ts'
import { compareRuns } from '../runs/compare-runs.ts'
import type { RecordedRun, Step } from '../runs/recorded-run.ts'
import { replayRun } from '../runs/replay-run.ts'
import { runAsTest } from '../runs/run-as-test.ts'
import type { RunFolder } from '../runs/run-folder.ts'
import { contextView, stepLine, stepView } from '../runs/run-views.ts'
import type { ContextView, NoTest, RunsNews, RunView, StepView, TestText } from '../wire/runs.ts'
import { eventResponse } from './event-response.ts'

/** The routes for recorded runs (VIEW-2). */
export class RunRoutes {
  readonly #folder: RunFolder
  readonly #bench: Workbench
  readonly #signal: AbortSignal
  readonly #tools: ReadonlyMap<string, BenchTool>

  constructor(folder: RunFolder, bench: Workbench, signal: AbortSignal) {
    this.#folder = folder
    this.#bench = bench
    this.#signal = signal
    this.#tools = new Map(bench.tools.map((tool) => [tool.name, tool]))
  }

  /** @param shape The method and the path after `runs`, with `*` for its parameters. */
  async answer(shape: string, parts: readonly string[], body: () => Promise<JsonObject>): Promise<Response> {
    const [id = '', , last = ''] = parts
    switch (shape) {
      case 'GET':
        return Response.json(await this.#folder.list())
      case 'POST news':
        return Response.json(await this.#news(await body()))
      case 'POST * view':
        return Response.json(await this.#view(id, await body()))
      case 'GET * steps *':
        return Response.json(await this.#step(id, last))
      case 'GET * context *':
        return Response.json(await this.#context(id, last))
      case 'GET * diff *':
        return Response.json(compareRuns(await this.#record(id), await this.#record(last)))
      case 'GET * test':
        return Response.json(await this.#test(id))
      case 'POST * replay':
        return this.#replay(await this.#record(id))
      case 'POST * decide':
        return Response.json(await this.#decide(id, await body()))
      default:
        throw new ServerProblem('not_found', 'There is no such address under runs.')
    }
  }

  async #view(id: string, { since = 0 }: JsonObject): Promise<RunView> {
    const list = await this.#folder.list()
    const line = list.find((each) => each.id === id)
    const record = this.#folder.record(id)
    if (!line || !record) throw noRun(id)
    const { version, output, error, approvals } = record
    const decisions = approvals.length > 0 ? await this.#folder.decisions(id) : []
    return {
      ...line,
      version,
      steps: record.steps
        .filter((step) => step.version > Number(since))
        .map((step) => stepLine(step, record)),
      ...(output !== undefined && { output }),
      ...(error && { error }),
      approvals,
      decided: decisions.map(({ approval }) => approval),
    }
  }

  async #test(id: string): Promise<TestText | NoTest> {
    const why = 'The file has no answer of a model, which a test needs. The `log` of an agent records it.'
    return runAsTest(id, await this.#record(id)) ?? { why }
  }

  async #step(id: string, index: string): Promise<StepView> {
    const record = await this.#record(id)
    return stepView(stepOf(record, index), record, this.#tools)
  }

  /** The context as the step found it. */
  async #context(id: string, index: string): Promise<ContextView> {
    const record = await this.#record(id)
    return contextView(record, stepOf(record, index))
  }

  async #decide(id: string, { decisions }: JsonObject): Promise<{ readonly file: string }> {
    const { approvals } = await this.#record(id)
    if (!Array.isArray(decisions)) throw expected('a list of decisions as "decisions"')
    for (const decision of decisions) {
      const approval = isJsonObject(decision) && approvals.find((each) => each.id === decision.approval)
      if (!approval) throw expected('the id of an approval that the run waits for')
      // The decision applies to what was shown: a run that was written again meanwhile may ask for something else.
      if (approval.hash !== decision.hash) throw expected('the hash of the approval as the run has it now')
      if (typeof decision.approve !== 'boolean') throw expected('true or false as "approve"')
    }
    return { file: await this.#folder.decide(id, decisions as Decision[]) }
  }

  #replay(record: RecordedRun): Response {
    const gone = new AbortController()
    const signal = AbortSignal.any([gone.signal, this.#signal])
    return eventResponse(
      (send) => replayRun(record, this.#bench, signal, (replayed) => send('replayed', replayed)),
      () => gone.abort(),
    )
  }

  /** The list, unless the page has this version of it. */
  async #news({ version: known }: JsonObject): Promise<RunsNews> {
    const runs = await this.#folder.list()
    const text = JSON.stringify(runs.map((line) => [line, this.#folder.record(line.id)?.version]))
    const version = createHash('sha256').update(text).digest('base64url')
    return version === known ? { version } : { version, runs }
  }

  async #record(id: string): Promise<RecordedRun> {
    if (!this.#folder.record(id)) await this.#folder.list()
    const record = this.#folder.record(id)
    if (record) return record
    throw noRun(id)
  }
}

function noRun(id: string): ServerProblem {
  return new ServerProblem('not_found', `There is no run "${id.slice(0, 100)}".`)
}

function stepOf({ steps }: RecordedRun, index: string): Step {
  const step = /^\d+$/.test(index) ? steps[Number(index)] : undefined
  if (step) return step
  throw new ServerProblem('not_found', `The run has no step ${index.slice(0, 20)}.`)
}

function expected(what: string): ServerProblem {
  return new ServerProblem('bad_request', `Expected ${what}.`)
}
