import { isCallsheetError } from '../runtime/errors.ts'
import { GeneratorError } from './generator-error.ts'
import { isThrown, thrownText } from './load/thrown-text.ts'
import type { SourcePosition } from './model.ts'

/** A part of the definitions on which a phase can fail. */
interface Definition {
  readonly name: string
  readonly at: SourcePosition
}

/** An error that nobody expected, a defect of Callsheet, with the definitions that cause it. */
export class DefinitionFault extends Error {
  override name = 'DefinitionFault'

  constructor(causedBy: readonly Definition[], error: unknown) {
    const places = causedBy.map(({ name, at }) => `"${name}" (${at.file}:${at.line}:${at.column})`)
    super(`Callsheet itself failed on ${places.join(', ')}: ${thrownText(error)}`, { cause: error })
  }
}

/**
 * Runs a phase over all definitions. If it fails unexpectedly, it runs again over each alone, so that the error can name those
 * on which it fails.
 *
 * @throws DefinitionFault if it fails on any of them alone; otherwise what the phase threw.
 */
export function namingDefinitions<Given extends Definition, Result>(
  definitions: readonly Given[],
  phase: (definitions: readonly Given[]) => Result,
): Result {
  try {
    return phase(definitions)
  } catch (error) {
    if (isThrown(error, GeneratorError) || isCallsheetError(error)) throw error
    const causedBy = definitions.filter((definition) => fails(() => phase([definition])))
    throw causedBy.length === 0 ? error : new DefinitionFault(causedBy, error)
  }
}

function fails(step: () => unknown): boolean {
  try {
    step()
    return false
  } catch {
    return true
  }
}
