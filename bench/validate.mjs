// Bytes and speed of validators beside Ajv, on the synthetic corpus: `node bench/validate.mjs [--seconds 2]`.
// Ratios within one process are what counts: the contestants are warmed by time and then take turns. Ajv runs without
// `ownProperties`, which our semantics need: that is its faster setting.
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { invalidValue, makeTools, randomSource, validValue } from './corpus.mjs'

const seconds = Number(process.argv[process.argv.indexOf('--seconds') + 1] || 2)
const rounds = 11
const { compileCheck, helpers, interpretCheck } = await ours()
const require = createRequire(import.meta.url)
const { Ajv2020 } = require('ajv/dist/2020.js')
const addFormats = require('ajv-formats')

sizes(makeTools(1000))
speeds(makeTools(100))

/** Bundles the compiler and the runtime from source, so that the figures are those of this checkout. */
async function ours() {
  const contents = `
    export { compileCheck } from './codegen/validators/compile.ts'
    export { interpretCheck } from './runtime/check-tree/interpret.ts'
    import * as check from './runtime/checks/check.ts'
    import { format } from './runtime/formats.ts'
    export const helpers = { ...check, format }`
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

function sizes(tools) {
  const schemas = tools.flatMap(({ parameters, output }) => [parameters, output])
  const measure = () => {
    const start = performance.now()
    const codes = schemas.map((schema) => compileCheck(schema, {}).code)
    return { codes, milliseconds: performance.now() - start }
  }
  const { codes, milliseconds } = measure()
  const bytes = codes.map((code) => Buffer.byteLength(code)).sort((left, right) => left - right)
  const total = bytes.reduce((sum, each) => sum + each, 0)
  console.log(
    `${codes.length} validators: ${(total / codes.length).toFixed(0)} bytes on average, ${bytes.at(-1)} at most`,
  )
  console.log(`compiled in ${milliseconds.toFixed(0)} ms cold, ${measure().milliseconds.toFixed(0)} ms warm`)
}

function speeds(tools) {
  const random = randomSource(1001)
  const cases = tools.map(({ parameters }) => ({
    parameters,
    valid: Array.from({ length: 4 }, () => validValue(parameters, random)),
    invalid: Array.from({ length: 4 }, () => invalidValue(parameters, random)),
  }))
  const evaluate = (code) =>
    new Function(...Object.keys(helpers), `return ${code}`)(...Object.values(helpers))
  const ajv = (allErrors) => {
    const one = new Ajv2020({ strict: false, allErrors, logger: false })
    addFormats(one)
    return cases.map(({ parameters }) => one.compile(parameters))
  }
  const [first, all] = [ajv(false), ajv(true)]
  const compiled = cases.map(({ parameters }) => evaluate(compileCheck(parameters, {}).code))
  const interpreted = cases.map(({ parameters }) => interpretCheck(parameters))
  const over = (checks, kind, run) => () => {
    let count = 0
    for (const [index, each] of cases.entries())
      for (const value of each[kind]) count += run(checks[index], value) ? 1 : 0
    return count
  }
  const verdict = (check, value) => check(value)
  const reasons = (check, value) => {
    const problems = []
    return check(value, '', problems) || problems.length === 0
  }
  report('valid values', over(first, 'valid', verdict), {
    compiled: over(compiled, 'valid', verdict),
    'compiled, reasons wanted': over(compiled, 'valid', reasons),
    interpreted: over(interpreted, 'valid', verdict),
  })
  report('invalid values, first reason or verdict', over(first, 'invalid', verdict), {
    compiled: over(compiled, 'invalid', verdict),
    interpreted: over(interpreted, 'invalid', verdict),
  })
  report('invalid values, all reasons', over(all, 'invalid', verdict), {
    compiled: over(compiled, 'invalid', reasons),
    interpreted: over(interpreted, 'invalid', reasons),
  })
}

function report(title, floor, contestants) {
  const entries = [['ajv', floor], ...Object.entries(contestants)]
  for (const [, run] of entries) {
    const end = performance.now() + (seconds * 1000) / entries.length
    while (performance.now() < end) run()
  }
  const times = new Map(entries.map(([name]) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of entries) times.get(name).push(nanoseconds(run))
  }
  const median = (list) => list.toSorted((left, right) => left - right)[Math.floor(list.length / 2)]
  const base = times.get('ajv')
  console.log(`\n${title}`)
  for (const [name, list] of times) {
    const ratio = median(list.map((each, round) => each / base[round]))
    console.log(`  ${name.padEnd(26)} ${median(list).toFixed(0).padStart(7)} ns  ${ratio.toFixed(2)} x ajv`)
  }
}

/** Per check: 400 of them a run. */
function nanoseconds(run) {
  const runs = 25
  const start = performance.now()
  for (let index = 0; index < runs; index++) run()
  return ((performance.now() - start) * 1e6) / runs / 400
}
