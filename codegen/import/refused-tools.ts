import { buildModel } from '../build/build-model.ts'
import { checkModel } from '../check/check-model.ts'
import type { Finding, LoadedDefinition } from '../model.ts'
import { attemptTool } from './attempt-tool.ts'
import { inCopy } from './import-finding.ts'
import { type ImportedTool, underscoreParameters } from './normalise-tool.ts'
import { isWrapped, rootKeywords } from './print-tool.ts'

/** Returns the errors that `generate` would report for these Tools: one invalid Tool would block all others. */
export function refusedTools(tools: readonly ImportedTool[]): Finding[] {
  try {
    return refusedTogether(tools)
  } catch (error) {
    const faults = tools.flatMap((tool) =>
      attemptTool<Finding[]>(
        tool.name,
        () => {
          refusedTogether([tool])
          return []
        },
        (fault) => [fault],
      ),
    )
    if (faults.length === 0) throw error
    const others = tools.filter(({ name }) => faults.every(({ tool }) => tool !== name))
    return [...faults, ...refusedTools(others)]
  }
}

/** Builds and checks all Tools at once, as `generate` does. */
function refusedTogether(tools: readonly ImportedTool[]): Finding[] {
  const definitions = tools.map(asLoaded)
  const { model, findings } = buildModel(definitions)
  const wrapped = new Set(tools.filter(({ input }) => isWrapped(input)).map(({ name }) => name))
  const refused = [...findings, ...checkModel(model, definitions)]
    .filter(({ severity }) => severity === 'error')
    .map(({ at: _nowhere, fix, ...finding }) => ({ ...finding, fix: `${fix} ${inCopy}` }))
    .map((finding) => (wrapped.has(finding.tool ?? '') ? asInSource(finding) : finding))
  // Nested parts are reported twice, so remove duplicates.
  return [...new Map(refused.map((finding) => [JSON.stringify(finding), finding])).values()]
}

/** Corrects the location of a finding about a schema that was put into `allOf`. */
function asInSource({ message, pointer, ...finding }: Finding): Finding {
  const unwrapped = (text: string): string => text.replace(/(^| at )\/allOf\/0(?=$|\/|:)/, '$1')
  return { message: unwrapped(message).replace(' at :', ':'), ...finding, pointer: unwrapped(pointer ?? '') }
}

/** Converts a Tool to the definition that loading it would give, without its source position. */
function asLoaded(tool: ImportedTool): LoadedDefinition {
  const { name, options, input, output, definitions } = tool
  const { properties = {}, required = [] } = input
  const value = {
    type: 'object',
    additionalProperties: false,
    required: ['_tool', ...required],
    ...options,
    ...rootKeywords(input),
    properties: { _tool: { const: name }, ...properties, _output: output },
    parameters: underscoreParameters(tool),
    $defs: definitions,
  }
  return { kind: 'tool', name, value, at: { file: '', line: 1, column: 1 } }
}
