// What reading a context costs as its log grows, beside the naive reverse scan: `node bench/state.mjs [--check]`.
// Each log holds the same 100 paths, written over and over, so that the length of the log is all that differs.
// `--check` exits 1 when 100,000 Messages cost more than `factor` times what 1,000 cost, creation not counted.
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const factor = 4
const reads = 10_000
const rounds = 7
const { createContext, createStateIndex, readState, scopedContext } = await ours()

const workloads = {
  'set, hot and cold paths': (index) => write(`†state.k${index % 100}.value`, index, {}),
  'set, path written once': (index) =>
    write(index < 100 ? `†state.k${index}.value` : '†state.noise', index, {}),
  patches: (index) => ({ type: 'state', state: { [`k${index % 100}`]: { value: index } } }),
  'ten instances': (index) => write(`†state.k${index % 100}.value`, index, { _instance: `i${index % 10}` }),
}

let worst = 0
for (const [name, messageAt] of Object.entries(workloads)) {
  const instance = name === 'ten instances'
  const small = measure(logOf(1_000, messageAt), instance)
  const large = measure(logOf(100_000, messageAt), instance)
  const grown = large.read / small.read
  worst = Math.max(worst, grown)
  console.log(`${name}`)
  console.log(`  10,000 reads of 1,000 Messages   ${ms(small.read)} by index, ${ms(small.naive)} by scan`)
  console.log(`  10,000 reads of 100,000 Messages ${ms(large.read)} by index, ${ms(large.naive)} by scan`)
  console.log(
    `  ratio 100,000 : 1,000            ${grown.toFixed(2)} by index, ${(large.naive / small.naive).toFixed(2)} by scan`,
  )
  console.log(
    `  index 100,000 Messages once ${ms(large.build)}; createContext, which checks and copies too, ${ms(large.create)}`,
  )
}
console.log(`append and read in turn, 100,000 times: ${ms(inTurn(100_000))}`)
console.log(
  `scopedContext, 10,000 Messages: kind ${ms(scoped(['state']))}, path ${ms(scoped(['†state.k1']))}`,
)
console.log(`worst ratio by index: ${worst.toFixed(2)} (limit ${factor})`)
if (process.argv.includes('--check') && worst > factor) process.exit(1)

function measure(log, instance) {
  const path = (index) => ({ kind: 'state', segments: [`k${index % 100}`, 'value'] })
  const as = (index) => (instance ? `i${index % 10}` : undefined)
  const build = best(() => createStateIndex(log).read(path(0), as(0)))
  const create = best(() => createContext(log), 3)
  const index = createStateIndex(log)
  const read = best(() => {
    for (let count = 0; count < reads; count++) index.read(path(count), as(count))
  })
  // The scan of a long log takes minutes; a part of its reads is enough to know, and counted up.
  const share = log.length > 10_000 ? 1_000 : 10
  const naive =
    share *
    best(() => {
      for (let count = 0; count < reads / share; count++) readState(log, path(count), as(count))
    }, 3)
  return { build, create, read, naive }
}

function inTurn(count) {
  const context = createContext()
  const start = performance.now()
  for (let index = 0; index < count; index++) {
    context.append(write(`†state.k${index % 100}.value`, index, {}))
    context.read(`†state.k${index % 100}.value`)
  }
  return performance.now() - start
}

function scoped(scopes) {
  const log = logOf(10_000, workloads['set, hot and cold paths'])
  return best(() => scopedContext(log, scopes))
}

function logOf(length, messageAt) {
  return Array.from({ length }, (_, index) => messageAt(index))
}

function write(path, value, rest) {
  const segments = path.slice(1).split('.').slice(1)
  const data = segments.reduceRight((inner, segment) => ({ [segment]: inner }), value)
  return { type: 'data', kind: 'state', data, _path: path, ...rest }
}

/** The fastest of several rounds, in milliseconds: the others ran beside somebody else's work. */
function best(work, times = rounds) {
  let fastest = Number.POSITIVE_INFINITY
  for (let round = 0; round < times; round++) {
    const start = performance.now()
    work()
    fastest = Math.min(fastest, performance.now() - start)
  }
  return fastest
}

function ms(milliseconds) {
  return `${milliseconds.toFixed(milliseconds < 10 ? 2 : 0)} ms`
}

/** Bundles the runtime from source, so that the figures are those of this checkout. */
async function ours() {
  const contents = `
    export { createContext } from './runtime/context/context.ts'
    export { scopedContext } from './runtime/context/scope.ts'
    export { readState } from './runtime/context/state.ts'
    export { createStateIndex } from './runtime/context/state-index.ts'`
  const resolveDir = fileURLToPath(new URL('..', import.meta.url))
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`)
}
