import { isJsonObject } from '../../runtime/json/json.ts'
import { optionProblems, wrongOptions } from '../../runtime/problems/option-problems.ts'
import { toolServerRules } from '../../runtime/server/server-option-rules.ts'
import type { ToolServerOptions } from '../../runtime/server/tool-handler.ts'
import { GeneratorError } from '../generator-error.ts'

/**
 * Imports the server options from the module that `--options` names; no options without it.
 *
 * @throws GeneratorError `invalid_usage` for unknown options: a misspelt `run` would silently disable the approval of Calls.
 */
export function serverOptionsOf(
  file: string | undefined,
  exports: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
): ToolServerOptions {
  if (file === undefined) return {}
  const own = exports.get(file)?.default
  if (!isJsonObject(own)) {
    throw new GeneratorError('invalid_usage', [
      {
        message: `${file} has no object as its default export.`,
        fix: 'Write export default { authorize, hosts, run }.',
      },
    ])
  }
  const problems = optionProblems(own, toolServerRules)
  if (problems.length === 0) return own
  const { message } = wrongOptions(file, problems)
  throw new GeneratorError('invalid_usage', [
    { message, fix: 'Correct its default export: the options are those of toolServer.' },
  ])
}
