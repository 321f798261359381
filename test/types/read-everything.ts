import ts from 'typescript-6.0'
import { exportsOf, publishedEntries } from '../api/report.ts'

/** Generated code alone imports these. */
const generatedOnly = ['callsheet/wiring', 'callsheet/surface', 'callsheet/checks']

/**
 * A module for each entry that people import, which exports a function for each member of each interface and class of
 * the entry, and what its functions return, with nothing annotated: to declare them, the compiler needs a name for every type.
 */
export function readEverything(): Record<string, string> {
  const entries = publishedEntries().filter(({ entry }) => !generatedOnly.includes(entry))
  const program = ts.createProgram(
    entries.map(({ types }) => types),
    { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, strict: true, types: [] },
  )
  const checker = program.getTypeChecker()
  return Object.fromEntries(
    entries.map(({ entry, types }) => {
      const lines = [...exportsOf(checker, program, types)].flatMap(([name, symbol]) =>
        readsOf(checker, symbol, name),
      )
      const text = lines.map((line, index) => `export const read${index} = ${line}\n`).join('')
      return [`${entry.replace('/', '-')}.ts`, `import * as M from '${entry}'\n${text}`]
    }),
  )
}

function readsOf(checker: ts.TypeChecker, symbol: ts.Symbol, name: string): string[] {
  const [declaration] = symbol.declarations ?? []
  if (!declaration) return []
  if (ts.isFunctionDeclaration(declaration) && !declaration.typeParameters)
    return [`M.${name}`, `M.${name}(...([] as unknown as Parameters<typeof M.${name}>))`]
  const isRead = ts.isInterfaceDeclaration(declaration) || ts.isClassDeclaration(declaration)
  if (!isRead || declaration.typeParameters?.some((parameter) => !parameter.default)) return []
  const members = checker.getDeclaredTypeOfSymbol(symbol).getProperties()
  return members
    .filter((member) => !member.name.startsWith('__'))
    .map((member) => `(given: M.${name}) => given[${JSON.stringify(member.name)}]`)
}
