import { dirname, isAbsolute, join, resolve } from 'node:path'
import { compositionChoices } from '../../runtime/compose/composition-choices.ts'
import { type DialectName, dialectNames } from '../../runtime/dialects/dialect-name.ts'
import { isJsonObject, type JsonObject } from '../../runtime/json/json.ts'
import { hasMembers } from '../../runtime/problems/field-rule.ts'
import { briefly } from '../../runtime/problems/problem.ts'
import { sharedMetaFields } from '../../runtime/schema/shared-meta.ts'
import { notASchema } from '../build/not-a-schema.ts'
import type { Fault } from '../generator-error.ts'
import { didYouMean } from '../names/nearest-name.ts'
import { isInside } from '../paths/is-inside.ts'
import { realPlace } from '../paths/real-place.ts'
import type { DefinitionSet } from './config.ts'
import { budgetFault, exceptionsFault } from './contract-option-rules.ts'

/** Returns what an option's value has to be, or undefined if the value is valid. */
type Rule = (value: unknown) => string | undefined

const importExtensions = ['.js', '.ts', '']
const dialectModes = ['auto', 'composed', 'native']

/** The rule of every option of a set. */
const setRules: Readonly<Record<keyof DefinitionSet, Rule>> = {
  definitions: (value) => {
    const list = typeof value === 'string' ? [value] : value
    const right = Array.isArray(list) && list.length > 0 && list.every(isRelativePath)
    return right ? undefined : 'a relative path or a list of them'
  },
  output: (value) => (isRelativePath(value) ? undefined : 'the relative path of a folder'),
  activities: (value) => {
    const right =
      value === 'same-name' || (Array.isArray(value) && value.every((name) => typeof name === 'string'))
    return right ? undefined : '"same-name" or a list of Tool names'
  },
  meta: (value) => ([value].flat().every(isMetaRule) ? undefined : metaForm),
  activitiesFolder: (value) => (isRelativePath(value) ? undefined : 'the relative path of a folder'),
  dialects: (value) => (Array.isArray(value) ? undefined : 'a list of dialects'),
  importExtension: oneOf(importExtensions),
  declarationMaps: (value) => (typeof value === 'boolean' ? undefined : 'true or false'),
  outputPosition: oneOf(compositionChoices.outputPosition),
  explicitOutput: oneOf(compositionChoices.explicitOutput),
  references: oneOf(compositionChoices.references),
  exceptions: exceptionsFault,
  budget: budgetFault,
}

/** Describes a valid `meta`, for error messages. */
const metaForm = `an object of ${sharedMetaFields.join(', ')}, each true, a string, a list of strings or a schema; or a list of those, with "tools" for the names`

function isMetaRule(rule: unknown): boolean {
  if (!isJsonObject(rule)) return false
  return Object.entries(rule).every(([name, value]) => {
    if (name === 'tools') return [value].flat().every((pattern) => typeof pattern === 'string')
    if (!isSharedMetaField(name)) return false
    if (Array.isArray(value)) return name === '_scopes' && value.every((item) => typeof item === 'string')
    if (value === undefined || value === true || typeof value === 'string') return true
    return isJsonObject(value) && notASchema(value) === undefined
  })
}

function isSharedMetaField(name: string): boolean {
  return sharedMetaFields.some((field) => field === name)
}

const setOptions = Object.keys(setRules)

/** Returns everything that is wrong with a configuration. An empty list means that it is a valid `Config`. */
export function configFaults(config: unknown, root: string): Fault[] {
  if (!hasMembers(config)) {
    const fix = 'Export an object: `export default defineConfig({ … })`.'
    return [{ message: `The configuration has to be an object, got ${shown(config)}.`, fix }]
  }
  const { sets, ...common } = config
  if (sets === undefined) return [...optionFaults(common, ''), ...folderFaults([config], root, '')]
  if (!Array.isArray(sets) || sets.length === 0) {
    return [...optionFaults(common, ''), wrongValue('sets', 'a list of at least one set', sets)]
  }
  const misplaced = ['definitions', 'output'].filter((name) => Object.hasOwn(common, name))
  return [
    ...optionFaults(common, ''),
    ...misplaced.map((name) => ({
      message: `Option "${name}" is next to "sets", where it would apply to all sets or to none.`,
      fix: `Move "${name}" into each set.`,
    })),
    ...sets.flatMap((set: unknown, index) => setFaults(set, `sets[${index}].`)),
    ...folderFaults(sets, root, 'sets'),
  ]
}

function setFaults(set: unknown, prefix: string): Fault[] {
  if (!isJsonObject(set)) return [wrongValue(prefix.slice(0, -1), 'an object', set)]
  const missing = ['definitions', 'output'].filter((name) => set[name] === undefined)
  return [
    ...missing.map((name) => ({
      message: `Option "${prefix}${name}" is missing: with several sets, each needs its own.`,
      fix: `Add "${name}" to that set.`,
    })),
    ...optionFaults(set, prefix),
  ]
}

function optionFaults(options: JsonObject, prefix: string): Fault[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (!isSetOption(name)) {
      const known = prefix === '' ? [...setOptions, 'sets'] : setOptions
      const message = `Unknown option "${prefix}${name}".${didYouMean(name, known)}`
      return [{ message, fix: `Options: ${known.join(', ')}.` }]
    }
    if (value === undefined) return []
    const expected = setRules[name](value)
    if (expected !== undefined) return [wrongValue(`${prefix}${name}`, expected, value)]
    return name === 'dialects' && Array.isArray(value) ? dialectFaults(value, `${prefix}dialects`) : []
  })
}

function isSetOption(name: string): name is keyof DefinitionSet {
  return Object.hasOwn(setRules, name)
}

function dialectFaults(dialects: readonly unknown[], option: string): Fault[] {
  const seen = new Set<unknown>()
  return dialects.flatMap((choice, index) => {
    const place = `${option}[${index}]`
    const { dialect, mode, ...rest }: JsonObject = isJsonObject(choice) ? choice : { dialect: choice }
    const faults: Fault[] = Object.keys(rest).map((name) => ({
      message: `Unknown option "${place}.${name}".${didYouMean(name, ['dialect', 'mode'])}`,
      fix: 'Options: dialect, mode.',
    }))
    if (!isDialectName(dialect)) {
      const guess = typeof dialect === 'string' ? didYouMean(dialect, dialectNames) : ''
      const message = `Option "${place}" is ${shown(dialect)}, which is not a dialect.${guess}`
      faults.push({ message, fix: `Dialects: ${dialectNames.join(', ')}.` })
    } else if (seen.has(dialect)) {
      faults.push({
        message: `Option "${place}" names ${dialect} a second time.`,
        fix: 'Remove one of the two.',
      })
    }
    if (mode !== undefined && !(typeof mode === 'string' && dialectModes.includes(mode))) {
      faults.push(wrongValue(`${place}.mode`, listed(dialectModes), mode))
    }
    seen.add(dialect)
    return faults
  })
}

function isDialectName(value: unknown): value is DialectName {
  return dialectNames.some((name) => name === value)
}

/** Two sets would overwrite each other's output in a shared folder, as would output among the definitions of any set. */
function folderFaults(sets: readonly unknown[], root: string, option: string): Fault[] {
  const faults: Fault[] = []
  const outputs = new Map<string, number>()
  const all = sets.map((set) => placesOf(isJsonObject(set) ? set : {}, option === ''))
  const definitions = new Set(all.flatMap((places) => places.definitions))
  all.forEach(({ output, activities }, index) => {
    if (output === undefined) return
    const name = option === '' ? 'output' : `${option}[${index}].output`
    const folder = realPlace(resolve(root, output))
    if (isInside(realPlace(root), folder)) {
      const fix = 'Give it a folder of its own, such as "generated".'
      faults.push({ message: `Option "${name}" is "${output}", which contains the project itself.`, fix })
      return
    }
    for (const path of definitions) {
      const source = realPlace(resolve(root, path))
      if (!isInside(source, folder) && !isInside(folder, source)) continue
      const message = `Option "${name}" is "${output}", which overlaps with the definitions in "${path}".`
      faults.push({ message, fix: 'Generate into a folder outside the definitions.' })
    }
    if (activities !== undefined && isInside(realPlace(resolve(root, activities)), folder)) {
      const message = `Option "${name}" is "${output}", which contains the folder of the Activities.`
      faults.push({
        message,
        fix: 'Generate into a folder outside `activitiesFolder` (default: "activities").',
      })
    }
    for (const [other, otherIndex] of outputs) {
      if (!isInside(other, folder) && !isInside(folder, other)) continue
      const message = `Option "${name}" is "${output}", which overlaps with the output of sets[${otherIndex}].`
      faults.push({ message, fix: 'Give each set an output folder of its own.' })
    }
    outputs.set(folder, index)
  })
  return faults
}

/** The folders of a set that are paths. Only a single set has default ones. */
function placesOf(
  set: JsonObject,
  hasDefaults: boolean,
): { output: string | undefined; definitions: string[]; activities: string | undefined } {
  const { output = hasDefaults ? 'generated' : undefined } = set
  const { definitions = hasDefaults ? 'definitions' : [] } = set
  const known = isRelativePath(output) ? output : undefined
  const { activitiesFolder = known === undefined ? undefined : join(dirname(known), 'activities') } = set
  return {
    output: known,
    definitions: [definitions].flat().filter(isRelativePath),
    activities: isRelativePath(activitiesFolder) ? activitiesFolder : undefined,
  }
}

function isRelativePath(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !isAbsolute(value)
}

function oneOf(values: readonly string[]): Rule {
  return (value) => (typeof value === 'string' && values.includes(value) ? undefined : listed(values))
}

function listed(values: readonly string[]): string {
  return `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`
}

function wrongValue(option: string, expected: string, value: unknown): Fault {
  return {
    message: `Option "${option}" has to be ${expected}, got ${shown(value)}.`,
    fix: 'Correct it in the configuration.',
  }
}

/** Prints any value shortly, for error messages. */
function shown(value: unknown): string {
  return value === undefined || typeof value === 'symbol' ? String(value) : briefly(value)
}
