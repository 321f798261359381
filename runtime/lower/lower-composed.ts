import { type Composed, type ComposeOptions, composeWithFacts, type GivenTool } from '../compose/compose.ts'
import type { DialectName } from '../dialects/dialect-name.ts'
import { isCallsheetError } from '../errors.ts'
import type { Loss } from './losses.ts'
import type { LoweredSchema } from './lower.ts'
import { lowerCached } from './lower-cached.ts'

/** A composed schema in a dialect, with the declared schema it came from. */
export interface LoweredComposition {
  readonly composed: Composed
  readonly lowered: LoweredSchema
}

/**
 * Composes Tools and lowers the result. References are left out, and listed as a loss, if they would exceed a documented limit of
 * the dialect or could not be expressed in it (REF-5).
 *
 * @throws CallsheetError `unsupported_schema`.
 */
export function lowerComposed(
  tools: Iterable<GivenTool>,
  dialect: DialectName,
  options: ComposeOptions = {},
): LoweredComposition {
  const given = [...tools]
  const whole = attempt(given, dialect, options)
  if (!(whole instanceof Error) && (!whole.composed.hasReferences || !isTooMuch(whole.lowered))) return whole
  const plain = attempt(given, dialect, { ...options, references: 'none' })
  if (whole instanceof Error) {
    if (plain instanceof Error) throw whole
  } else if (plain instanceof Error || isTooMuch(plain.lowered)) return whole
  const { losses } = plain.lowered
  return { ...plain, lowered: { ...plain.lowered, losses: [...losses, referenceLoss(dialect, options)] } }
}

/** Records that References were left out. */
function referenceLoss(dialect: DialectName, { references = 'auto' }: ComposeOptions): Loss {
  return {
    dialect,
    pointer: '',
    keyword: 'references',
    value: references,
    action: 'dropped',
    enforcedBy: 'none',
  }
}

function attempt(
  tools: readonly GivenTool[],
  dialect: DialectName,
  options: ComposeOptions,
): LoweredComposition | Error {
  const composed = composeWithFacts(tools, options)
  try {
    return { composed, lowered: lowerCached(composed.schema, dialect) }
  } catch (error) {
    if (isCallsheetError(error) && error.code === 'unsupported_schema') return error
    throw error
  }
}

/** True if a documented limit is exceeded. */
export function isTooMuch({ usage }: Pick<LoweredSchema, 'usage'>): boolean {
  return usage.some(({ status, severity }) => status === 'over' && severity === 'documented')
}
