import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript-6.0'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** An entry of the package and the declarations that it publishes, as text that a diff reads well. */
export interface ApiReport {
  /** Such as `callsheet/agent`. */
  readonly entry: string
  /** Such as `test/api/agent.md`. */
  readonly path: string
  readonly text: string
}

/** An entry by its name and the path of its declarations. */
export interface PublishedEntry {
  readonly entry: string
  readonly types: string
}

/**
 * Reports what each entry publishes, from its declarations: its exports by name, then what these reach without being
 * exported, since changing that changes them. What another entry has shown is named only.
 *
 * @param folder Where the declarations are; what lies elsewhere is somebody else's.
 */
export function apiReports(
  entries: readonly PublishedEntry[] = publishedEntries(),
  folder: string = join(root, 'dist/types'),
): ApiReport[] {
  const program = ts.createProgram(
    entries.map(({ types }) => types),
    { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, strict: true, types: [], noEmit: true },
  )
  const checker = program.getTypeChecker()
  const exports = entries.map(({ entry, types }) => ({ entry, exported: exportsOf(checker, program, types) }))
  const shownIn = new Map<ts.Symbol, string>()
  for (const { entry, exported } of exports) {
    for (const symbol of exported.values()) if (!shownIn.has(symbol)) shownIn.set(symbol, entry)
  }
  const text = (symbol: ts.Symbol): string => declarationsOf(symbol, folder)
  return exports.map(({ entry, exported }) => {
    const own = [...exported.values()].filter((symbol) => shownIn.get(symbol) === entry)
    const again = [...exported]
      .filter(([, symbol]) => shownIn.get(symbol) !== entry)
      .map(([name, symbol]) => `export { ${name} } from '${shownIn.get(symbol)}'`)
    const hidden = [...reachedFrom(checker, own, folder)].filter((symbol) => !shownIn.has(symbol))
    for (const symbol of hidden) shownIn.set(symbol, entry)
    const parts = [
      `# ${entry}`,
      'What this entry publishes. Written by `npm run api`; a change here is a change for users.',
      fenced(own.map(text), '\n\n'),
      ...(again.length > 0 ? ['## Exported here as well', fenced(again, '\n')] : []),
      ...(hidden.length > 0 ? ['## Reached, not exported', fenced(hidden.map(text), '\n\n')] : []),
    ]
    const name = entry.replace(/^callsheet\/?/, '') || 'callsheet'
    return { entry, path: `test/api/${name}.md`, text: `${parts.join('\n\n')}\n` }
  })
}

export function publishedEntries(): PublishedEntry[] {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { types: string }>
  }
  return Object.entries(exports).flatMap(([path, target]) =>
    typeof target === 'string'
      ? []
      : [{ entry: path.replace(/^\./, 'callsheet'), types: join(root, target.types) }],
  )
}

/** What an entry exports, by name. */
export function exportsOf(
  checker: ts.TypeChecker,
  program: ts.Program,
  types: string,
): Map<string, ts.Symbol> {
  const file = program.getSourceFile(types)
  const module = file && checker.getSymbolAtLocation(file)
  if (module === undefined) throw new Error(`${types} is not there, or exports nothing: npm run build`)
  return new Map(checker.getExportsOfModule(module).map((symbol) => [symbol.name, original(checker, symbol)]))
}

function original(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

/** Every symbol that the declarations of the given ones speak of, and theirs in turn, as far as they lie in the folder. */
function reachedFrom(checker: ts.TypeChecker, symbols: readonly ts.Symbol[], folder: string): Set<ts.Symbol> {
  const reached = new Set(symbols)
  for (const symbol of reached) for (const declaration of topDeclarations(symbol, folder)) visit(declaration)
  return reached

  function visit(node: ts.Node): void {
    if (ts.isIdentifier(node)) {
      const found = checker.getSymbolAtLocation(node)
      const symbol = found && original(checker, found)
      if (symbol !== undefined && topDeclarations(symbol, folder).length > 0) reached.add(symbol)
    }
    ts.forEachChild(node, visit)
  }
}

/** The declarations of a symbol at the top of a file in the folder, where others can name it: no members or parameters. */
function topDeclarations(symbol: ts.Symbol, folder: string): ts.Node[] {
  return (symbol.declarations ?? [])
    .map((declaration) => (ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration))
    .filter(
      (node) =>
        node.parent !== undefined &&
        ts.isSourceFile(node.parent) &&
        !relative(folder, node.getSourceFile().fileName).startsWith('..'),
    )
}

const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed })

function declarationsOf(symbol: ts.Symbol, folder: string): string {
  const nodes = topDeclarations(symbol, folder)
  if (nodes.length === 0) throw new Error(`"${symbol.name}" is exported, and declared nowhere in ${folder}.`)
  return nodes
    .map((node) => printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile()))
    .join('\n')
}

/** By their text, code unit by code unit, so that an addition moves nothing. */
const fenced = (declarations: readonly string[], between: string): string =>
  `\`\`\`ts\n${[...declarations].sort().join(between)}\n\`\`\``
