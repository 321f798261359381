import { selectTools } from '../../compose/select-tools.ts'
import { isCallsheetError } from '../../errors.ts'
import type { ReadSolution } from '../ideas/solution.ts'
import { type AnswerFormat, formatOf, type SolutionFormatOptions } from './answer-format.ts'
import { keptFormat } from './kept-formats.ts'
import { expressibleTools, requireSchemas, soundTools } from './offerable-tools.ts'

/**
 * Returns the format of an answer with Calls of the selected Tools. A Tool of the context that cannot be expressed is left out,
 * since Messages of an Activity or a server must not end a run.
 *
 * @throws CallsheetError `unsupported_schema` if the dialect cannot express a Tool.
 */
export function solutionFormat(options: SolutionFormatOptions): AnswerFormat<ReadSolution> {
  const { only, without, ...compose } = options.compose
  const tools = selectTools(soundTools(options.tools), { only, without })
  const selected = { ...options, tools, compose }
  try {
    return keptFormat(selected, () => formatOf(selected))
  } catch (thrown) {
    const alone = { ...selected, output: undefined, deferral: undefined }
    const sayable = expressibleTools(tools, (tool) => formatOf({ ...alone, tools: [tool] }))
    if (sayable.length < tools.length) return solutionFormat({ ...selected, tools: sayable })
    if (!isCallsheetError(thrown)) tools.forEach(requireSchemas)
    throw thrown
  }
}
