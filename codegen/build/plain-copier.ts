import { isJsonObject, type JsonObject } from '../../runtime/json/json.ts'
import { pointerSegment } from '../../runtime/json/json-pointer.ts'
import { briefly } from '../../runtime/problems/problem.ts'
import { modernise } from '../../runtime/schema/modernise.ts'
import { hasOptionalMark } from '../../runtime/schema/optional-mark.ts'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import { schemaPlace } from '../../runtime/schema/schema-children.ts'
import { keywordShape } from './keyword-shapes.ts'
import { notASchema } from './not-a-schema.ts'
import { jsonTypes, refusedKinds } from './refused-kinds.ts'
import type { ReportProblem } from './report-problem.ts'

/** The deepest nesting of objects and lists. Deeper schemas are a mistake, and later phases recurse. */
const deepest = 200

/**
 * Keywords that are dropped. From here on the dialect is 2020-12; the others would make other tools copy their text into
 * code.
 */
const dropped = new Set(['$schema', '$vocabulary', 'tsType', 'tsEnumNames'])

/** Keywords that are built from an argument that is required, such as `Type.Array(item)`. Others may be options of a caller. */
const neverOptional = new Set(['items', 'not', '$ref'])

/** TypeBox's hidden marks for features that a plain schema cannot express. */
const lostMarks: Readonly<Record<string, string>> = {
  '~refine': 'the check of Type.Refine',
  '~codec': 'the conversion of Type.Codec',
}

/**
 * Copies live TypeBox schemas into plain JSON Schema 2020-12. The same live object becomes the same copy, also across
 * Tools, so that sharing stays visible. What JSON Schema cannot express is reported and becomes the empty schema.
 */
export class PlainCopier {
  /** Copies of schemas that had `$schema`, such as another library's output. Their references are relative to them. */
  readonly documents: WeakSet<JsonSchema> = new WeakSet()
  /** By what an object was read as: one object can be a schema in one place and the value of a `const` in another. */
  readonly #copies = {
    schema: new Map<object, unknown>(),
    map: new Map<object, unknown>(),
    data: new Map<object, unknown>(),
  }
  readonly #open = new Set<object>()

  /** Copies a schema and everything below it. */
  schema(value: unknown, pointer: string, report: ReportProblem): Schema {
    if (typeof value === 'boolean') return value
    const mistake = notASchema(value)
    if (mistake) {
      report(problem('malformed-schema', pointer, `expected a schema, got ${mistake.got}.`, mistake.fix))
      return {}
    }
    if (!isJsonObject(value)) throw new Error(`notASchema let ${typeof value} through.`)
    return this.#once('schema', value, pointer, report, () =>
      this.#keywords(value, pointer, report),
    ) as Schema
  }

  #keywords(live: JsonObject, pointer: string, report: ReportProblem): JsonSchema {
    reportLostMarks(live, pointer, report)
    reportForeignMarks(live, pointer, report)
    const copy: JsonSchema = {}
    for (const [keyword, value] of Object.entries(live)) {
      if (keyword.startsWith('~') || dropped.has(keyword)) continue
      if (value === undefined && !neverOptional.has(keyword)) continue
      const at = `${pointer}/${pointerSegment(keyword)}`
      const given = keyword === 'pattern' && value instanceof RegExp ? patternOf(value, at, report) : value
      const copied = this.#keyword(keyword, given, at, report)
      if (copied !== undefined) copy[keyword] = copied
    }
    const plain = modernise(withoutBareNullable(withoutRefusedKinds(copy, pointer, report), pointer, report))
    if (typeof live.$schema === 'string') this.documents.add(plain)
    return plain
  }

  #keyword(keyword: string, value: unknown, pointer: string, report: ReportProblem): unknown {
    if (keyword === 'enabled' && typeof value === 'function') {
      report(enabledFunction(pointer))
      return undefined
    }
    const shape = keywordShape(keyword)
    if (shape && !shape.fits(value)) {
      const message = `"${keyword}" must be ${shape.wants}, got ${briefly(value)}.`
      report(problem('malformed-schema', pointer, message, fixOfShape(keyword, value)))
      return undefined
    }
    switch (schemaPlace(keyword, value)) {
      case 'single':
        return this.schema(value, pointer, report)
      case 'list':
        return this.#list(value as unknown[], pointer, report)
      case 'map':
        return this.#map(value as JsonObject, pointer, report)
      case undefined:
        return this.#data(value, pointer, report)
    }
  }

  #list(list: unknown[], pointer: string, report: ReportProblem): unknown {
    return this.#once('schema', list, pointer, report, () =>
      list.map((item, index) => this.schema(item, `${pointer}/${index}`, report)),
    )
  }

  #map(map: JsonObject, pointer: string, report: ReportProblem): unknown {
    return this.#once('map', map, pointer, report, () => {
      const entries = Object.entries(map).filter(([key]) => isAllowed(key, pointer, report))
      return Object.fromEntries(
        entries.map(([key, value]) => [key, this.schema(value, `${pointer}/${pointerSegment(key)}`, report)]),
      )
    })
  }

  #data(value: unknown, pointer: string, report: ReportProblem): unknown {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
    if (typeof value === 'number' && Number.isFinite(value)) return value
    if (Array.isArray(value)) {
      return this.#once('data', value, pointer, report, () =>
        value.map((item, index) => this.#data(item, `${pointer}/${index}`, report) ?? null),
      )
    }
    if (!isPlainObject(value)) {
      const message = `${describe(value)} is not JSON.`
      const fix =
        value instanceof Date
          ? 'Write it as text, as date.toISOString() does.'
          : 'Write a JSON value: text, a finite number, true, false, null, a list or an object.'
      report(problem('not-json', pointer, message, fix))
      return undefined
    }
    return this.#once('data', value, pointer, report, () => {
      const entries = Object.entries(value).filter(
        ([key, item]) => item !== undefined && isAllowed(key, pointer, report),
      )
      const copied = entries.map(([key, item]) => [
        key,
        this.#data(item, `${pointer}/${pointerSegment(key)}`, report),
      ])
      return Object.fromEntries(copied.filter(([, item]) => item !== undefined))
    })
  }

  /** Copies an object once. Reports an object that contains itself or is nested too deep. */
  #once(
    readAs: 'schema' | 'map' | 'data',
    live: object,
    pointer: string,
    report: ReportProblem,
    copy: () => unknown,
  ): unknown {
    const copies = this.#copies[readAs]
    const known = copies.get(live)
    if (known !== undefined) return known
    const mistake = this.#open.has(live) ? containsItself : this.#open.size > deepest ? tooDeep : undefined
    if (mistake !== undefined) {
      report(problem('endless-schema', pointer, mistake.message, mistake.fix))
      return Array.isArray(live) ? [] : {}
    }
    this.#open.add(live)
    const copied = copy()
    this.#open.delete(live)
    copies.set(live, copied)
    return copied
  }
}

const containsItself = {
  message: 'the object contains itself, and JSON cannot spell that.',
  fix: "Refer to it by name: Type.Cyclic({ Node: … Type.Ref('Node') … }, 'Node').",
}

const tooDeep = {
  message: `it lies more than ${deepest} objects and lists deep.`,
  fix: "Export parts of it as schemas of their own, or put them in $defs, and refer to them by name: Type.Ref('Part').",
}

function isPlainObject(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  // An object of another realm has another `Object.prototype`, whose own prototype is null as well.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Refuses the key `__proto__`: neither an object literal nor an assignment can create it as an ordinary property. */
function isAllowed(key: string, pointer: string, report: ReportProblem): boolean {
  if (key !== '__proto__') return true
  report(
    problem(
      'reserved-property',
      `${pointer}/${key}`,
      'the name "__proto__" is reserved by JavaScript.',
      'Choose another name.',
    ),
  )
  return false
}

function patternOf({ source, flags }: RegExp, pointer: string, report: ReportProblem): string {
  const lost = flags.replace(/[uv]/g, '')
  if (lost !== '') {
    const message = `the flags "${lost}" of a regular expression have no place in JSON Schema.`
    report(
      problem(
        'pattern-flags',
        pointer,
        message,
        "Say it in the pattern itself, such as '[aA]' for the flag i.",
      ),
    )
  }
  return source
}

function withoutRefusedKinds(schema: JsonSchema, pointer: string, report: ReportProblem): JsonSchema {
  const types = Array.isArray(schema.type) ? schema.type : schema.type === undefined ? [] : [schema.type]
  // TypeBox up to 0.29 says of these kinds that they are an object or null, and what they are in a keyword of its own.
  const older = [Reflect.get(schema, 'instanceOf'), Reflect.get(schema, 'typeOf')]
  const refused = [...types, ...older.filter((kind) => typeof kind === 'string')].filter(
    (type) => !jsonTypes.includes(type),
  )
  for (const type of refused) {
    const key = type.toLowerCase()
    const fix = Object.hasOwn(refusedKinds, key) ? refusedKinds[key] : undefined
    const message = `JSON has no type ${briefly(type)}; it has ${jsonTypes.join(', ')}.`
    report(problem('not-json-kind', pointer, message, fix ?? 'Use one of these.'))
  }
  return refused.length > 0 ? {} : schema
}

function withoutBareNullable(schema: JsonSchema, pointer: string, report: ReportProblem): JsonSchema {
  const { nullable, ...rest } = schema
  if (nullable !== true || rest.type !== undefined) return schema
  const message = '"nullable" says nothing beside a schema without "type".'
  report(problem('nullable-without-type', pointer, message, 'Write the union: Type.Union([…, Type.Null()]).'))
  return rest
}

function reportLostMarks(live: JsonObject, pointer: string, report: ReportProblem): void {
  const symbols = Object.getOwnPropertySymbols(live)
  const transforms = symbols.some(({ description }) => description === 'TypeBox.Transform')
  for (const mark of Object.keys(lostMarks)) {
    if (!Object.hasOwn(live, mark) && !(mark === '~codec' && transforms)) continue
    const message = `${lostMarks[mark]} is code, which a schema does not carry; it has no effect here.`
    report({
      ...problem('lost-code', pointer, message, 'Say it with keywords, or do it in the Activity.'),
      severity: 'warning',
    })
  }
}

/** Reports properties that are marked optional yet listed as required: object and property come from two TypeBox copies. */
function reportForeignMarks(
  { properties, required }: JsonObject,
  pointer: string,
  report: ReportProblem,
): void {
  if (!isJsonObject(properties) || !Array.isArray(required)) return
  for (const [name, property] of Object.entries(properties)) {
    if (!isJsonObject(property) || !required.includes(name) || !hasOptionalMark(property)) continue
    const message =
      'it is marked as optional by another TypeBox than the one that made the object around it, which requires it.'
    const fix = 'Import Type from one package everywhere: "typebox", or "@sinclair/typebox", in one version.'
    report(problem('optional-elsewhere', `${pointer}/properties/${pointerSegment(name)}`, message, fix))
  }
}

function enabledFunction(pointer: string) {
  return problem(
    'enabled-function',
    pointer,
    '"enabled" is a function, and generated schemas are data.',
    'Write true or false here, and give the function to the registry in code: Tool.register(name, tools[name], { enabled }).',
  )
}

function fixOfShape(keyword: string, value: unknown): string {
  if (keyword.startsWith('exclusive') && typeof value === 'boolean') {
    const bound = keyword === 'exclusiveMinimum' ? 'minimum' : 'maximum'
    return `That is draft-04; move the number of "${bound}" into "${keyword}".`
  }
  if (keyword === 'required') return 'List the names of the required properties on the object that has them.'
  if (keyword === '$ref' && isJsonObject(value))
    return "Use the schema itself, or Type.Ref('Name') with its $id."
  return 'Correct its value.'
}

function describe(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'object' && value !== null)
    return `An object of ${value.constructor?.name ?? 'a class'}`
  return `A value of type ${typeof value}`
}

function problem(rule: string, pointer: string, message: string, fix: string) {
  return { rule, pointer, message, fix }
}
