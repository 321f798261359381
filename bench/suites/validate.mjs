// Validators: bytes and speed, for values that are right and values that are wrong, beside Ajv, TypeBox and zod.
import { createRequire } from 'node:module'
import { invalidValue, makeTools, randomSource, validValue } from '../corpus.mjs'
import { inTurns, threadClock } from '../measure.mjs'
import { ourSources } from '../our-sources.mjs'
import { zodOf } from '../peers.mjs'
import { atMost, grouped, spreadText } from '../section.mjs'

const require = createRequire(import.meta.url)
const { Ajv2020 } = require('ajv/dist/2020.js')
const addFormats = require('ajv-formats')
const standalone = require('ajv/dist/standalone/index.js').default

const perTool = 4

/** @returns {Promise<import('../section.mjs').Section>} */
export async function run({ quick = false, floorOnly = false } = {}) {
  const sources = await ourSources()
  const random = randomSource(1001)
  const asParsed = (value) => JSON.parse(JSON.stringify(value))
  const cases = makeTools(100).map(({ parameters }) => ({
    parameters,
    valid: Array.from({ length: perTool }, () => asParsed(validValue(parameters, random))),
    invalid: Array.from({ length: perTool }, () => asParsed(invalidValue(parameters, random))),
  }))
  const checks = await makeChecks(sources, cases)
  if (floorOnly) dropPeers(checks)
  requireAgreement(checks, cases)
  const over = (verdicts, kind) => () => {
    for (const [index, each] of cases.entries()) for (const value of each[kind]) verdicts[index](value)
  }
  const turns = (floor, contestants, kind) =>
    inTurns({
      floor,
      contestants: Object.fromEntries(
        Object.entries(contestants).map(([name, list]) => [name, over(list, kind)]),
      ),
      perPass: cases.length * perTool,
      warmUp: quick ? 500 : 3000,
      turn: quick ? 100 : 300,
      rounds: quick ? 3 : 11,
    })
  const valid = await turns('Ajv', checks.verdict, 'valid')
  const invalid = await turns('Ajv', checks.verdict, 'invalid')
  const reasons = await turns('Ajv allErrors', checks.reasons, 'invalid')
  const sizes = floorOnly ? [] : sizesOf(sources, makeTools(1000))
  const [ours, theirs] = sizes
  const speeds = (caption, results) => ({
    caption: `${caption} (${threadClock.name})`,
    head: ['Validator', 'ns per value', 'values per second', 'times Ajv'],
    rows: Object.entries(results).map(([name, { nanoseconds, ratio }]) => [
      name,
      grouped(nanoseconds.median),
      grouped(1e9 / nanoseconds.median),
      spreadText(ratio, 2),
    ]),
  })
  return {
    tables: [
      speeds('Valid values', valid),
      speeds('Invalid values, verdict', invalid),
      speeds('Invalid values, every reason', reasons),
      ...(ours ? [sizeTable(sizes)] : []),
    ],
    targets: [
      atMost('valid values, times Ajv', 0.6, valid['Callsheet, generated'].ratio.median),
      atMost('invalid values, verdict, times Ajv', 1, invalid['Callsheet, generated'].ratio.median),
      atMost(
        'invalid values with all reasons, times Ajv allErrors',
        5,
        reasons['Callsheet, generated'].ratio.median,
      ),
      ...(ours
        ? [
            atMost('bytes per validator', 2200, ours.bytes, grouped),
            atMost('bytes per validator, of Ajv standalone', 0.2, ours.bytes / theirs.bytes),
          ]
        : []),
    ],
    notes: [
      'The contestants agree on every value that is measured, or the run fails. TypeBox has its formats switched on.',
      'Ajv runs without `ownProperties`, which Callsheet’s semantics include: that is its faster setting.',
      'Ajv’s and TypeBox’s verdicts name no reason, or the first one; "every reason" is what a model is sent to correct itself.',
    ],
  }
}

function sizeTable(sizes) {
  const [ours] = sizes
  return {
    caption: 'Bytes per validator',
    head: ['Validator', 'bytes', 'times Callsheet'],
    rows: sizes.map(({ name, bytes }) => [name, grouped(bytes), (bytes / ours.bytes).toFixed(2)]),
  }
}

/** Leaves Ajv and Callsheet. */
function dropPeers(checks) {
  for (const list of Object.values(checks)) {
    for (const name of Object.keys(list)) if (!/^(?:Ajv|Callsheet)/.test(name)) delete list[name]
  }
}

async function makeChecks(sources, cases) {
  const { compileVerdict, linkSchema, definitionReferences, helpers, interpretCheck } = sources
  const { Compile } = await import('typebox/compile')
  const schemas = cases.map(({ parameters }) => parameters)
  const evaluate = (compiled) =>
    new Function(...Object.keys(helpers), asJavaScript(sourceOf(compiled, 'return ')))(
      ...Object.values(helpers),
    )
  const ours = schemas.map((schema) =>
    helpers.check(evaluate(compileVerdict(schema, {})), linkSchema(schema, definitionReferences({}))),
  )
  const interpreted = schemas.map((schema) => interpretCheck(schema))
  const typebox = schemas.map((schema) => Compile(schema))
  const zod = schemas.map((schema) => zodOf(schema))
  const ajvOf = (options) => {
    const ajv = new Ajv2020({ strict: false, logger: false, ...options })
    addFormats(ajv)
    return ajv
  }
  const compiled = (ajv) => schemas.map((schema) => ajv.compile(schema))
  const sourced = ajvOf({ code: { source: true } })
  const allReasons = (check) => (value) => {
    const problems = []
    return check(value, '', problems) || problems.length === 0
  }
  return {
    verdict: {
      Ajv: compiled(ajvOf({})),
      'Ajv standalone': compiled(sourced).map((check) => moduleOf(standalone(sourced, check))),
      'Callsheet, generated': ours,
      'Callsheet, interpreted': interpreted,
      'TypeBox Compile().Check': typebox.map((check) => (value) => check.Check(value)),
      'zod safeParse': zod.map((schema) => (value) => schema.safeParse(value).success),
    },
    reasons: {
      'Ajv allErrors': compiled(ajvOf({ allErrors: true })),
      'Callsheet, generated': ours.map(allReasons),
      'Callsheet, interpreted': interpreted.map(allReasons),
      'TypeBox Compile().Errors': typebox.map(
        (check) => (value) => check.Check(value) || [...check.Errors(value)].length === 0,
      ),
      'zod safeParse': zod.map((schema) => (value) => {
        const { success, error } = schema.safeParse(value)
        return success || error.issues.length === 0
      }),
    },
  }
}

/** The source of a verdict, with what it declares. */
function sourceOf({ declarations, verdict }, before = '') {
  return [...declarations, before + verdict].join('\n')
}

/** What is printed is TypeScript: the few types in it are known. */
function asJavaScript(source) {
  return source
    .replaceAll('(v: any): boolean =>', '(v) =>')
    .replaceAll('new Set<unknown>(', 'new Set(')
    .replaceAll(': any[] = ', ' = ')
}

/** A CommonJS module of source text. */
function moduleOf(code) {
  const module = { exports: {} }
  new Function('module', 'exports', 'require', code)(module, module.exports, require)
  return module.exports.default ?? module.exports
}

function requireAgreement({ verdict }, cases) {
  for (const [name, list] of Object.entries(verdict)) {
    for (const [index, { valid, invalid }] of cases.entries()) {
      if (!valid.every((value) => list[index](value)) || invalid.some((value) => list[index](value))) {
        throw new Error(`${name} reads the schema of tool ${index} otherwise.`)
      }
    }
  }
}

function sizesOf({ compileVerdict }, tools) {
  const schemas = tools.flatMap(({ parameters, output }) => [parameters, output])
  const ajv = new Ajv2020({ strict: false, code: { source: true, esm: true } })
  addFormats(ajv)
  const mean = (print) =>
    schemas.reduce((sum, schema) => sum + Buffer.byteLength(print(schema)), 0) / schemas.length
  return [
    { name: 'Callsheet, generated', bytes: mean((schema) => sourceOf(compileVerdict(schema, {}))) },
    { name: 'Ajv standalone', bytes: mean((schema) => standalone(ajv, ajv.compile(schema))) },
  ]
}
