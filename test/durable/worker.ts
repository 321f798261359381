// Two workers that share a port, for the tests beside this file: `node worker.ts PORT FILE`. FILE is where the Activities
// write down what they do. Runs on a Node that Restate's SDK takes.
import cluster, { type Worker } from 'node:cluster'
import { createServer } from 'node:http2'
import * as restate from '@restatedev/restate-sdk'
import { restateHandler, restateServices } from 'callsheet/restate'
import { executorRegistry, note } from '../conformance/executor-tools.ts'
import { executorCases, modelOf } from '../conformance/executors.ts'
import { dagCalls } from './dag.ts'

const [port = '9080', file = 'done.jsonl'] = process.argv.slice(2)

if (cluster.isPrimary) supervise()
else await work()

function supervise(): void {
  const listening = new Set<Worker>()
  const tell = (): void =>
    console.log(`listening ${JSON.stringify(Array.from(listening, (worker) => worker.process.pid))}`)
  let isEnding = false
  cluster.on('listening', (worker) => {
    listening.add(worker)
    tell()
  })
  cluster.on('exit', (worker) => {
    listening.delete(worker)
    tell()
    if (!isEnding) setTimeout(() => cluster.fork(), 300)
  })
  process.once('SIGTERM', () => {
    isEnding = true
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL')
    process.exit()
  })
  cluster.fork()
  cluster.fork()
}

async function work(): Promise<void> {
  const { Tool } = executorRegistry(file)
  const options = { Tool, sdk: restate }
  const services = await restateServices({
    ...options,
    retry: { attempts: 3, initial: 20 },
    agents: {
      planner: ({ count, name }: { count: number; name: string }) => {
        note(file, { event: 'owner', tool: 'planner', id: name, pid: process.pid })
        const calls = dagCalls(count)
        return {
          model: 'm',
          client: modelOf([{ calls }, { output: 'done' }], dagSign(calls.length), () =>
            note(file, { event: 'model', tool: 'planner', id: name, pid: process.pid }),
          ),
          output: { type: 'string' },
          maxCalls: count + 1,
        }
      },
      payer: () => ({
        model: 'm',
        client: modelOf(
          [{ calls: [{ _tool: 'pay', to: 'rent', amount: 20 }] }, { output: 'It is paid.' }],
          'paid 20',
        ),
        output: { type: 'string' },
        confirm: { effects: ['write'], ask: () => 'pending' as const },
      }),
      // As somebody without types writes them.
      misspelt: (() => ({ model: 'm', confirm: { effects: ['write'], asks: () => false } })) as never,
      promised: (async () => ({ model: 'm' })) as never,
    },
  })
  const conformance = restate.service({
    name: 'conformance',
    handlers: {
      run: restateHandler(
        options,
        ({ runId, executor, signal }, name: string) =>
          executorCases[name]?.run({ runId, file, executor, signal }) ?? Promise.resolve(`no case "${name}"`),
      ),
    },
  })
  const steps = restate.service({
    name: 'steps',
    handlers: {
      plan: restateHandler(options, ({ plan }, count: number) => plan(dagCalls(count))),
      all: restateHandler(options, ({ all }, calls: []) => all(calls)),
      here: restateHandler({ ...options, local: ['settle'] }, ({ run }, call: { _tool: string }) =>
        run(call),
      ),
      there: restateHandler(options, ({ run }, call: { _tool: string }) => run(call)),
      late: restateHandler(options, ({ agent, runId }) =>
        agent({
          model: 'm',
          client: modelOf(
            [
              {
                calls: [
                  { _tool: 'pay', to: 'rent', amount: 30 },
                  { _tool: 'pay', to: 'power', amount: 20 },
                  { _tool: 'pay', to: 'water', amount: 10 },
                ],
              },
              { output: 'Nothing is paid.' },
            ],
            'nobody decided in time',
          ),
          output: { type: 'string' },
          confirm: { effects: ['write'], ask: () => 'pending', expiresIn: 1_500 },
          onApprovals: (approvals) => note(file, { event: 'asked', id: runId, approvals }),
        }).then(({ output }) => output),
      ),
      ask: restateHandler(options, ({ agent, runId }) =>
        agent({
          model: 'm',
          client: modelOf(
            [{ calls: [{ _tool: 'pay', to: 'rent', amount: 30 }] }, { output: 'It is paid.' }],
            'paid 30',
          ),
          output: { type: 'string' },
          confirm: { effects: ['write'], ask: () => 'pending' },
          onApprovals: (approvals) => note(file, { event: 'asked', id: runId, approvals }),
        }).then(({ output }) => output),
      ),
    },
  })
  const handler = restate.createEndpointHandler({
    services: [...services, conformance, steps],
    // It tells of every connection that is lost, and here they are lost on purpose.
    logger: () => {},
  })
  createServer(handler as never).listen(Number(port), '127.0.0.1')
}

/** What the model reads once the DAG has run: the last Call's name for what it wrote. */
function dagSign(count: number): string {
  return `n${count - 1}`
}
