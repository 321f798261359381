import type { Finding } from '../model.ts'

/** Reports a definition file that exports these names, none of which declares anything. */
export function exportsNothing(file: string, names: readonly string[], mentionsTag: boolean): Finding {
  const what =
    names.length > 0 ? `exports ${names.join(', ')}, none of which is a Tool or a schema` : 'exports nothing'
  const tagFix = 'Start a line of the doc comment of each function that is a Tool with @tool. Or: '
  return {
    rule: 'exports-nothing',
    severity: 'error',
    message: `${file} ${what}.`,
    fix: `${mentionsTag ? tagFix : ''}Export a Tool (export const weatherCheck = tool(…)) or a shared schema, or move the file out of the definitions.`,
    at: { file, line: 1, column: 1 },
  }
}
