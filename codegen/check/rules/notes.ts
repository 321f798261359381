import { grouped } from '../../../runtime/problems/grouped.ts'
import type { Rule } from '../rule.ts'

/**
 * Azure OpenAI refuses a whole request with a longer description of a native tool, as do gateways with its limits (higebu/3gpp-mcp#238 of
 * 2026-09-04); OpenAI itself has taken them since 2025-05-19 (run-llama/llama_index#18784).
 */
const longestDescription = 1024

/** Claude Code silently cuts descriptions of MCP servers to this length (observed on 2026-11-24). */
const cutAt = 2048

/** Notes about valid definitions. */
export const noteRules: readonly Rule[] = [
  {
    name: 'no-output',
    severity: 'note',
    sentence:
      'a Tool declares in "_output" what its Activity returns; without it, the Activity returns nothing and the Tool cannot be latent',
    fix: 'Declare _output: Type.Object({ … }), unless it really returns nothing.',
    *breaches({ model, tools }) {
      for (const { name, output } of model.tools) {
        const definition = tools.get(name)
        if (definition && output === undefined) yield { definition, pointer: '', got: 'no "_output"' }
      }
    },
  },
  {
    name: 'no-description',
    severity: 'note',
    sentence: 'a Tool has a description, because models choose Tools by it',
    fix: "Add the option description: 'What it does, and when to use it.'",
    *breaches({ model, tools }) {
      for (const { name, schema } of model.tools) {
        const definition = tools.get(name)
        if (definition && !schema.description?.trim()) yield { definition, pointer: '', got: 'none' }
      }
    },
  },
  {
    name: 'long-description',
    severity: 'note',
    sentence: `a Tool's description has at most ${grouped(longestDescription)} characters, because Azure OpenAI refuses requests with longer ones, and Claude Code cuts those of MCP servers at ${grouped(cutAt)}`,
    fix: 'Start with when to use the Tool and what it must not be used for. Describe parameters at the parameters.',
    *breaches({ model, tools }) {
      for (const { name, schema } of model.tools) {
        const definition = tools.get(name)
        const { length } = schema.description ?? ''
        if (definition && length > longestDescription) {
          yield { definition, pointer: '', got: `${grouped(length)} characters` }
        }
      }
    },
  },
]
