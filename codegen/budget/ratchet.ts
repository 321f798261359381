import { relative } from 'node:path'
import { byCodeUnit, isJsonObject } from '../../runtime/json/json.ts'
import { withoutMark } from '../../runtime/json/without-mark.ts'
import { grouped } from '../../runtime/problems/grouped.ts'
import { GeneratorError } from '../generator-error.ts'
import type { Finding, Model } from '../model.ts'
import { type FileSystem, readIfPresent } from '../write/file-system.ts'
import { heaviestText, placeOf } from './budget-findings.ts'
import type { RatchetMode } from './ratchet-modes.ts'
import type { DialectWeight, Weight } from './weigh.ts'

/** The recorded sizes, by output folder and dialect. The file is kept in git. */
export type Ratchet = Readonly<Record<string, Readonly<Record<string, Weight>>>>

/**
 * Reads the recorded figures; undefined if the file does not exist yet.
 *
 * @throws GeneratorError `invalid_config` if the file has other content.
 */
export function readRatchet(path: string, fileSystem: FileSystem): Ratchet | undefined {
  const text = readIfPresent(path, fileSystem)
  if (text === undefined) return undefined
  let data: unknown
  try {
    data = JSON.parse(withoutMark(text))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw notRatchet(path, `it is not JSON: ${error.message}`)
  }
  const isFigure = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
  const isWeight = (value: unknown): boolean =>
    isJsonObject(value) && isFigure(value.bytes) && (value.tokens === undefined || isFigure(value.tokens))
  const isSet = (value: unknown): boolean => isJsonObject(value) && Object.values(value).every(isWeight)
  if (!isJsonObject(data) || !Object.values(data).every(isSet)) {
    throw notRatchet(path, 'expected { output: { dialect: { bytes, tokens } } }')
  }
  return data as Ratchet // every figure was checked above
}

/** Returns an error for each figure that grew or is not recorded yet, and a note for figures that fell. */
export function ratchetFindings(
  weights: readonly DialectWeight[],
  kept: Ratchet[string] | undefined,
  file: string,
  model: Model,
): Finding[] {
  return weights.flatMap((weight): Finding[] => {
    const before = kept?.[weight.dialect]
    const finding = (severity: Finding['severity'], message: string, fix: string): Finding => ({
      rule: 'budget-ratchet',
      severity,
      message: `Dialect ${weight.dialect}: ${message}`,
      fix,
      ...placeOf(weight.tools[0]?.tool, model),
    })
    if (!before)
      return [finding('error', `${file} has no figures for it.`, `${acceptCommand}, and commit ${file}.`)]
    const units = (['tokens', 'bytes'] as const).flatMap((unit) => {
      const [was, is] = [before[unit], weight[unit]]
      return was === undefined || is === undefined || was === is ? [] : [{ unit, was, is }]
    })
    const grown = units.filter(({ was, is }) => is > was)
    if (grown.length > 0) {
      return grown.map(({ unit, was, is }) =>
        finding(
          'error',
          `the Tools weigh ${grouped(is)} ${unit}, ${grouped(is - was)} more than recorded in ${file}.${heaviestText(weight, unit)}`,
          `Shorten the largest Tools, or accept the growth: ${acceptCommand}.`,
        ),
      )
    }
    if (units.length === 0) return []
    const fallen = units.map(({ unit, was, is }) => `${grouped(was - is)} ${unit}`).join(' and ')
    return [
      finding(
        'note',
        `the Tools weigh ${fallen} less than recorded in ${file}.`,
        'Record it: callsheet lint --budget lower.',
      ),
    ]
  })
}

const acceptCommand = 'callsheet lint --budget accept'

/** Prints the new content of the ratchet file. Sets and dialects that no longer exist are left out. */
export function ratchetText(
  mode: RatchetMode,
  kept: Ratchet | undefined,
  sets: readonly { readonly output: string; readonly weights: readonly DialectWeight[] }[],
): string {
  const entries = sets.map(({ output, weights }) => {
    const figures = weights.map(({ dialect, bytes, tokens }) => {
      const before = kept?.[output]?.[dialect]
      const lower = (unit: 'bytes' | 'tokens', now: number | undefined): number | undefined => {
        const was = before?.[unit]
        // Without a tokenizer, keep the tokens that were counted last.
        if (now === undefined) return was
        return mode === 'accept' || was === undefined ? now : Math.min(was, now)
      }
      const [ofBytes, ofTokens] = [lower('bytes', bytes) ?? bytes, lower('tokens', tokens)]
      return [dialect, { bytes: ofBytes, ...(ofTokens !== undefined && { tokens: ofTokens }) }] as const
    })
    // `lower` adds no new entries: recording a figure for the first time needs `accept`.
    const known = figures.filter(([dialect]) => mode === 'accept' || kept?.[output]?.[dialect])
    return [output, sortedRecord(known)] as const
  })
  return `${JSON.stringify(sortedRecord(entries), null, 2)}\n`
}

function sortedRecord<Value>(entries: readonly (readonly [string, Value])[]): Record<string, Value> {
  return Object.fromEntries([...entries].sort(([left], [right]) => byCodeUnit(left, right)))
}

function notRatchet(path: string, why: string): GeneratorError {
  return new GeneratorError('invalid_config', [
    {
      message: `${relative(process.cwd(), path) || path} is not a file of budget figures: ${why}.`,
      fix: `Restore it from git, or delete it and run: ${acceptCommand}`,
    },
  ])
}
