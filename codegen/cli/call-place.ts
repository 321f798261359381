import type { Outcome } from '../../runtime/call/outcome.ts'
import type { OutcomeJson } from '../../runtime/server/outcome-json.ts'
import { describe, type ServedTool } from '../../runtime/server/served-tools.ts'
import { GeneratorError } from '../generator-error.ts'
import type { ProjectOptions } from '../project/load-project.ts'
import type { Given } from './command.ts'
import { configOptions } from './config-options.ts'
import { headersOf, requireUrlFor } from './header-option.ts'
import type { Terminal } from './terminal.ts'

/** The Tools to call: those of this project, or of a server. */
export interface Place {
  readonly names: readonly string[]
  tool(name: string): Promise<ServedTool | undefined>
  run(call: { readonly _tool: string }): Promise<Outcome | OutcomeJson>
}

/** Reads the options that choose the place to run, before the options of the Tool are known. */
export async function placeOf(
  args: readonly string[],
  terminal: Terminal,
  parts: ProjectOptions['parts'] = 'all',
): Promise<Place> {
  const said = (option: string): string | undefined => {
    const index = args.findIndex(
      (argument) => argument === `--${option}` || argument.startsWith(`--${option}=`),
    )
    const found = args[index]
    if (index < 0 || found === undefined) return undefined
    return found.includes('=') ? found.slice(found.indexOf('=') + 1) : args[index + 1]
  }
  const url = said('url')
  if (url !== undefined) return serverAt(url, said('header'))
  // Whoever completes a command line may still add --url.
  if (parts === 'all') requireUrlFor(said('header'))
  const values = ['config', 'cwd', 'set'].flatMap((option) => {
    const value = said(option)
    return value === undefined ? [] : [[option, value] as const]
  })
  const given: Given = { flags: new Set(), values: new Map(values), operands: [] }
  const { loadProject } = await import('../project/load-project.ts')
  const output = given.values.get('set')
  const { Tool } = await loadProject({
    ...configOptions(given, terminal),
    ...(output !== undefined && { output }),
    parts,
  })
  return {
    names: Tool.names,
    async tool(name) {
      const schema = Tool.get(name)
      return schema && describe(name, schema)
    },
    run: (call) => Tool.run(call, { references: false }),
  }
}

async function serverAt(url: string, header: string | undefined): Promise<Place> {
  const { ServerClient } = await import('../remote/server-client.ts')
  const client = new ServerClient(url, headersOf(header))
  const { tools, refused } = await client.tools()
  return {
    names: tools.map((tool) => tool.name),
    async tool(wanted) {
      const why = refused.get(wanted)
      if (why === undefined) return tools.find((tool) => tool.name === wanted)
      throw new GeneratorError('invalid_usage', [
        {
          message: `${client.base} lists the Tool "${wanted}" in an unusable form. ${why}`,
          fix: 'See what GET /tools gives there.',
        },
      ])
    },
    run: (call) => client.run(call),
  }
}
