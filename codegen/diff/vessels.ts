import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { interpretCheck } from '../../runtime/check-tree/interpret.ts'
import type { Problem } from '../../runtime/errors.ts'
import { canonicalJson } from '../../runtime/json/canonical-json.ts'
import { definitionName } from '../../runtime/json/definition-reference.ts'
import { byCodeUnit, isJsonObject, own } from '../../runtime/json/json.ts'
import { pointerNames } from '../../runtime/json/pointer-names.ts'
import { withoutMark } from '../../runtime/json/without-mark.ts'
import { composedBranches, toolName } from '../../runtime/lower/composed-tools.ts'
import { messageOf } from '../../runtime/problems/message-of.ts'
import { metaFieldNames } from '../../runtime/schema/meta-fields.ts'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import type { Check } from '../../runtime/schema/validator.ts'
import { interpretedCallCheck } from '../../runtime/tools/interpreted-checks.ts'
import { GeneratorError } from '../generator-error.ts'
import { withForwardSlashes } from '../paths/portable-path.ts'
import { statIfPresent } from '../write/file-system.ts'
import type { ContractSet, ContractTool } from './contract.ts'

/** The result of checking one recorded answer against the current contract (DIFF-5). */
export interface VesselFinding {
  /** The file, relative to the folder. */
  readonly file: string
  /** Calls that the contract refuses now, with the reason. */
  readonly refused: readonly { readonly tool: string; readonly reason: string }[]
  /** Chosen Tools whose text for the model changed: the model has to be asked again. */
  readonly askAgain: readonly string[]
  /** Tools that were offered but not chosen, and whose text changed or that were removed. */
  readonly offeredOtherwise: readonly string[]
}

/**
 * Checks recorded Vessels against the contract, each against the Tools that it used. Unaffected ones are left out.
 *
 * @throws GeneratorError `invalid_usage` for a folder that does not exist, or an invalid Vessel.
 */
export function readVessels(folder: string, sets: readonly ContractSet[]): VesselFinding[] {
  if (!statIfPresent(folder)?.isDirectory()) {
    throw new GeneratorError('invalid_usage', [
      { message: `There is no folder ${folder} with Vessels.`, fix: 'Correct --vessels.' },
    ])
  }
  const judged = sets.map(({ tools }) => new Map(tools.map((tool) => [tool.name, new JudgedTool(tool)])))
  // A link to a file is read; one to a folder could lead in circles.
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => withForwardSlashes(relative(folder, join(entry.parentPath, entry.name))))
    .filter((file) => file.endsWith('.json') && statIfPresent(join(folder, file))?.isFile())
    .sort(byCodeUnit)
  return files.flatMap((file) => {
    const vessel = readVessel(join(folder, file), file)
    const finding = orUnreadable(file, vessel, () => {
      const offered = offeredBranches(vessel?.schema ?? {})
      return vesselFinding(file, vessel, offered, toolsOf(offered, judged))
    })
    return finding.refused.length + finding.askAgain.length + finding.offeredOtherwise.length > 0
      ? [finding]
      : []
  })
}

interface RecordedVessel {
  readonly schema: JsonSchema
  readonly calls: readonly unknown[]
}

/** Reads a Vessel; undefined for other JSON, which has no schema and solution. */
function readVessel(path: string, file: string): RecordedVessel | undefined {
  let data: unknown
  try {
    data = JSON.parse(withoutMark(readFileSync(path, 'utf8')))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new GeneratorError('invalid_usage', [
      { message: `${file} is not JSON: ${error.message}.`, fix: 'Correct it, or remove it from the folder.' },
    ])
  }
  const [schema, solution] = isJsonObject(data) ? [own(data, 'schema'), own(data, 'solution')] : []
  const calls = isJsonObject(solution) ? own(solution, 'calls') : undefined
  return isJsonObject(schema) && Array.isArray(calls) ? { schema: schema as JsonSchema, calls } : undefined
}

/** @throws GeneratorError that names the file, if its schema is invalid. */
function orUnreadable<Found>(file: string, vessel: RecordedVessel | undefined, find: () => Found): Found {
  try {
    return find()
  } catch (thrown) {
    requireSchema(file, vessel?.schema ?? {})
    throw thrown
  }
}

function requireSchema(file: string, schema: JsonSchema): void {
  try {
    interpretCheck(schema)
  } catch (error) {
    const message = `${file} has an invalid schema: ${messageOf(error)}`
    throw new GeneratorError('invalid_usage', [{ message, fix: 'Correct it, or remove it from the folder.' }])
  }
}

/** A Tool with cached facts for many recordings. */
class JudgedTool {
  readonly #tool: ContractTool
  #check: Check | undefined
  #text: string | undefined

  constructor(tool: ContractTool) {
    this.#tool = tool
  }

  /** Returns why a Call is refused; undefined if it is valid. */
  reason(call: object): string | undefined {
    this.#check ??= interpretedCallCheck(this.#tool.schema)
    const problems: Problem[] = []
    if (this.#check(call, '', problems)) return undefined
    // The value of a Reference is known only when the Call runs.
    const real = problems.filter(({ path }) => !isReference(call, path))
    return real.length === 0
      ? undefined
      : real
          .slice(0, 3)
          .map(({ message }) => message)
          .join('; ')
  }

  /** The text that a model sees. */
  get text(): string {
    this.#text ??= readText(this.#tool.schema, this.#tool.schema.$defs ?? {})
    return this.#text
  }
}

/** A Tool as a recording offered it: its name, and the text that the model saw. */
interface OfferedTool {
  readonly name: string
  readonly text: string
}

function offeredBranches(schema: JsonSchema): OfferedTool[] {
  return composedBranches(schema).flatMap((branch) => {
    const name = typeof branch === 'object' ? toolName(branch) : undefined
    if (name === undefined || typeof branch !== 'object') return []
    return [{ name, text: readText(branch, schema.$defs ?? {}) }]
  })
}

/**
 * Returns the Tools that a recording is judged by. Several sets may have a Tool of one name: then that of the set which has most of
 * the offered Tools, and most of them unchanged.
 */
function toolsOf(
  offered: readonly OfferedTool[],
  sets: readonly ReadonlyMap<string, JudgedTool>[],
): Map<string, JudgedTool> {
  const ranked = sets
    .map((tools) => ({
      tools,
      known: offered.filter(({ name }) => tools.has(name)).length,
      same: offered.filter(({ name, text }) => tools.get(name)?.text === text).length,
    }))
    .sort((left, right) => left.known - right.known || left.same - right.same)
  return new Map(ranked.flatMap(({ tools }) => [...tools]))
}

function vesselFinding(
  file: string,
  vessel: RecordedVessel | undefined,
  offered: readonly OfferedTool[],
  tools: ReadonlyMap<string, JudgedTool>,
): VesselFinding {
  const { calls = [] } = vessel ?? {}
  const chosen = new Set<string>()
  const refused: { tool: string; reason: string }[] = []
  for (const call of calls) {
    const name = isJsonObject(call) ? call._tool : undefined
    if (!isJsonObject(call) || typeof name !== 'string') continue
    chosen.add(name)
    const tool = tools.get(name)
    const reason = tool ? tool.reason(call) : 'the contract has no such Tool'
    if (reason !== undefined) refused.push({ tool: name, reason })
  }
  const otherwise = offered.filter(({ name, text }) => tools.get(name)?.text !== text)
  const names = [...new Set(otherwise.map(({ name }) => name))].sort(byCodeUnit)
  return {
    file,
    refused,
    askAgain: names.filter((name) => chosen.has(name)),
    offeredOtherwise: names.filter((name) => !chosen.has(name)),
  }
}

/** Serialises the description and the parameters, with definitions expanded. */
function readText(schema: JsonSchema, definitions: Readonly<Record<string, Schema>>): string {
  const meta = new Set<string>(metaFieldNames)
  const parameters = Object.entries(schema.properties ?? {}).filter(([name]) => !meta.has(name))
  const reached = new Map<string, Schema>()
  const follow = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(follow)
    if (!isJsonObject(value)) return
    const name = definitionName(value.$ref)
    const target = name === undefined ? undefined : own(definitions, name)
    if (name !== undefined && target !== undefined && !reached.has(name)) {
      reached.set(name, target as Schema)
      follow(target)
    }
    Object.values(value).forEach(follow)
  }
  follow(parameters)
  return canonicalJson({
    description: schema.description,
    parameters,
    definitions: Object.fromEntries(reached),
    required: (schema.required ?? []).filter((name) => !meta.has(name)).sort(byCodeUnit),
  })
}

function isReference(call: object, path: string): boolean {
  let part: unknown = call
  for (const name of pointerNames(path)) {
    if (typeof part === 'string') break
    part = typeof part === 'object' && part !== null ? own(part, name) : undefined
  }
  return typeof part === 'string' && part.startsWith('†') && !part.startsWith('††')
}
