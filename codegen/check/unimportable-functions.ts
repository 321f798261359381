import type { Settings } from '../config/settings.ts'
import type { Finding, Model } from '../model.ts'
import { wayWithin } from '../paths/portable-path.ts'

/** Matches what Node reads as part of an address in an import, and TypeScript as part of a name. */
const inAddresses = /[#?%]/

/**
 * Reports the functions (TOOL-5) that `functions.ts` cannot import, since no specifier means their file to both Node
 * and TypeScript.
 */
export function unimportableFunctions({ tools }: Model, { root, output }: Settings): Finding[] {
  return tools.flatMap((tool): Finding[] => {
    const { name, implementation } = tool
    const found = implementation && inAddresses.exec(wayWithin(root, output, implementation.file))
    if (!found) return []
    return [
      {
        rule: 'function-shape',
        severity: 'error',
        message: `Tool "${name}": its function cannot be imported from ${implementation.file}, since Node reads ${JSON.stringify(found[0])} in an import as part of an address.`,
        fix: 'Rename the file or its folder.',
        at: tool.at,
        tool: name,
      },
    ]
  })
}
