import { buildModel } from '../build/build-model.ts'
import { checkModel } from '../check/check-model.ts'
import type { Finding, LoadedDefinition } from '../model.ts'
import { inCopy } from './import-finding.ts'
import { type ImportedTool, underscoreParameters } from './normalise-tool.ts'
import { isWrapped, rootKeywords } from './print-tool.ts'

/** What `generate` would refuse of these Tools once they are definitions: one wrong Tool would stop all of them. */
export function refusedTools(tools: readonly ImportedTool[]): Finding[] {
  const definitions = tools.map(asLoaded)
  const { model, findings } = buildModel(definitions)
  const wrapped = new Set(tools.filter(({ input }) => isWrapped(input)).map(({ name }) => name))
  const refused = [...findings, ...checkModel(model, definitions)]
    .filter(({ severity }) => severity === 'error')
    .map(({ at: _nowhere, fix, ...finding }) => ({ ...finding, fix: `${fix} ${inCopy}` }))
    .map((finding) => (wrapped.has(finding.tool ?? '') ? asInSource(finding) : finding))
  // What stands within and without is found in both places.
  return [...new Map(refused.map((finding) => [JSON.stringify(finding), finding])).values()]
}

/** A finding about a schema that was wrapped, at the place that the source has. */
function asInSource({ message, pointer, ...finding }: Finding): Finding {
  const unwrapped = (text: string): string => text.replace(/(^| at )\/allOf\/0(?=$|\/|:)/, '$1')
  return { message: unwrapped(message).replace(' at :', ':'), ...finding, pointer: unwrapped(pointer ?? '') }
}

/** What loading the Tool's definition will give, but for its place. */
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
