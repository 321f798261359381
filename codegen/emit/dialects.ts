import type { DialectName } from '../../runtime/dialects/dialect-name.ts'
import { isCallsheetError } from '../../runtime/errors.ts'
import type { Loss, StandIn } from '../../runtime/lower/losses.ts'
import { lowerComposed } from '../../runtime/lower/lower-composed.ts'
import type { Usage } from '../../runtime/lower/usage.ts'
import { lowerTools, type NativeApi } from '../../runtime/native/native-tools.ts'
import { escapeUnprintable } from '../../runtime/render/prompt-text.ts'
import type { DialectSetting, Settings } from '../config/settings.ts'
import type { Finding, GeneratedFile, Model } from '../model.ts'
import { jsonLines } from '../print/json-lines.ts'
import { composableTools, composeOptions } from './composed.ts'
import { limitFinding, noNativeTools, notStrict, unsupported, usesNativeTools } from './dialect-findings.ts'

/** The output of one dialect, and whether it is composed or native (REQ-5b). */
export interface DialectOutput {
  readonly dialect: DialectName
  readonly mode: 'composed' | 'native'
  /** undefined if the dialect cannot express a Tool. */
  readonly file: GeneratedFile | undefined
  readonly losses: readonly Loss[]
  readonly standIns: readonly StandIn[]
  readonly usage: readonly Usage[]
  readonly findings: readonly Finding[]
}

/** The native tool API of each dialect that has one. */
const nativeApis: Readonly<Partial<Record<DialectName, NativeApi>>> = {
  openai: 'openai-responses',
  mistral: 'openai-chat',
  anthropic: 'anthropic',
  gemini: 'gemini',
  mcp: 'mcp',
}

/** Depth of the branches in a composed schema: root, properties, calls, items, anyOf. Each branch is printed on one line. */
const branchDepth = 5

/**
 * Lowers the Tools to every configured dialect and checks the limits (REQ-5a, REQ-5c). Exceeding a documented limit fails
 * generation, except in mode `auto`, which switches to native tools and reports it.
 */
export function emitDialects(model: Model, settings: Settings): DialectOutput[] {
  return settings.dialects.map((setting) => {
    if (setting.mode === 'native') return native(setting, model, settings, [])
    const composed = attempt(setting.dialect, model, () => composedOutput(setting, model, settings))
    const isTooMuch = composed.usage.some(isPassed)
    if (setting.mode === 'composed' || !isTooMuch || nativeApis[setting.dialect] === undefined)
      return composed
    return native(setting, model, settings, composed.usage.filter(isPassed))
  })
}

function composedOutput({ dialect }: DialectSetting, model: Model, settings: Settings): DialectOutput {
  const tools = composableTools(model, settings)
  const { lowered } = lowerComposed(tools, dialect, composeOptions(model, settings))
  const { schema, losses, standIns, usage } = lowered
  const hasNativeTools = nativeApis[dialect] !== undefined
  return {
    dialect,
    mode: 'composed',
    file: fileOf(`composed/${dialect}.json`, schema, branchDepth),
    losses,
    standIns,
    usage,
    findings: usage.flatMap((each) => limitFinding(each, { use: 'composed', hasNativeTools }, model)),
  }
}

/** @param passed The limits that the composed schema exceeds; none if native tools were configured. */
function native(
  { dialect }: DialectSetting,
  model: Model,
  settings: Settings,
  passed: readonly Usage[],
): DialectOutput {
  const api = nativeApis[dialect]
  if (api === undefined) return nothing(dialect, 'native', [noNativeTools(dialect, Object.keys(nativeApis))])
  return attempt(dialect, model, () => {
    const lowered = lowerTools(composableTools(model, settings), api, composeOptions(model, settings))
    const path = `native/${dialect}.json`
    return {
      dialect,
      mode: 'native',
      file: fileOf(path, lowered.tools, 1),
      losses: lowered.losses,
      standIns: lowered.standIns,
      usage: lowered.usage,
      findings: [
        ...passed.map((usage) => usesNativeTools(usage, path, model)),
        ...lowered.oversized.map((name) => notStrict(dialect, name, model)),
        ...lowered.usage.flatMap((usage) =>
          limitFinding(usage, { use: 'native', hasNativeTools: true }, model),
        ),
      ],
    }
  })
}

/** Prints a file without characters that reorder or hide what its reader sees. */
function fileOf(path: string, value: unknown, depth: number): GeneratedFile {
  return { path, text: `${escapeUnprintable(jsonLines(value, depth))}\n` }
}

/** Converts the error for an inexpressible schema to findings. */
function attempt(dialect: DialectName, model: Model, work: () => DialectOutput): DialectOutput {
  try {
    return work()
  } catch (error) {
    if (!isCallsheetError(error) || error.code !== 'unsupported_schema') throw error
    return nothing(dialect, 'composed', unsupported(error, dialect, model))
  }
}

function nothing(
  dialect: DialectName,
  mode: DialectOutput['mode'],
  findings: readonly Finding[],
): DialectOutput {
  return { dialect, mode, file: undefined, losses: [], standIns: [], usage: [], findings }
}

function isPassed({ status, severity }: Usage): boolean {
  return status === 'over' && severity === 'documented'
}
