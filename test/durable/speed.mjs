// Compares Calls on Restate with the bare SDK, 64 in flight: `npm run durable` first, then
// `npx tsx test/durable/speed.mjs [Calls] [rounds]`. The two take turns; the figure is the median of the rounds' ratios.
import { readFileSync } from 'node:fs'
import { nodeForWorkers } from './installed.ts'
import { end, freePorts, RestateServer, start, waitForPort } from './processes.ts'

const [count = 500, rounds = 7] = process.argv.slice(2).map(Number)
/** Milliseconds of processor time that a process has used; says more than the clock on a machine that does other things. */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const server = await RestateServer.start()
const [port] = await freePorts(1)
const program = new URL('speed-worker.mjs', import.meta.url).pathname
const worker = start(nodeForWorkers(), [program, String(port)], { RESTATE_LOGGING: 'ERROR' }, 'ignore')
try {
  await waitForPort(port, worker)
  await server.register(`http://127.0.0.1:${port}`)
  const want = (count * (count + 1)) / 2
  const time = async (service) => {
    const cpu = cpuOf(worker.pid) + cpuOf(server.pid)
    const begun = performance.now()
    const sum = await server.call(`${service}/all`, count)
    if (sum !== want) throw new Error(`${service} comes to ${sum}, and ${want} is right.`)
    return { time: performance.now() - begun, cpu: cpuOf(worker.pid) + cpuOf(server.pid) - cpu }
  }
  for (const service of ['bare', 'own']) await time(service)
  const results = []
  for (let round = 0; round < rounds; round++) {
    // Who goes first takes turns as well.
    const order = round % 2 === 0 ? ['bare', 'own'] : ['own', 'bare']
    const times = {}
    for (const service of order) times[service] = await time(service)
    const { bare, own } = times
    results.push({
      bare: Math.round(bare.time),
      own: Math.round(own.time),
      ratio: own.time / bare.time,
      cpuRatio: own.cpu / bare.cpu,
    })
  }
  const median = (values) => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]
  const perSecond = (service) => Math.round((count * 1000) / median(results.map((result) => result[service])))
  console.table(results)
  console.log(`${count} Calls, 64 in flight, ${rounds} rounds`)
  console.log(`bare SDK ${perSecond('bare')} a second, Callsheet ${perSecond('own')} a second`)
  const figure = (name) => median(results.map((result) => result[name])).toFixed(2)
  console.log(`ratio of time ${figure('ratio')}, of processor time, worker and server, ${figure('cpuRatio')}`)
} finally {
  await end(worker, 'SIGKILL')
  await server.stop()
}
