import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What a source file imports: files of the project by path, everything else by specifier. Type imports count. */
export interface ImportGraph {
  readonly files: ReadonlyMap<string, readonly string[]>
}

const statement =
  /(?:^|\n)\s*(?:import|export)\s(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

/** Reads the imports of every TypeScript file, those with JSX included, in the given top-level folders. */
export function importGraph(folders: readonly string[]): ImportGraph {
  const files = new Map<string, readonly string[]>()
  for (const folder of folders) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.tsx?$/.test(entry.name)) continue
      const path = join(entry.parentPath, entry.name)
      files.set(toPosix(relative(root, path)), importsOf(path))
    }
  }
  return { files }
}

function importsOf(path: string): string[] {
  const source = readFileSync(path, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
  return [...source.matchAll(statement)].map(([, from, dynamic]) => {
    const specifier = from ?? dynamic ?? ''
    if (!specifier.startsWith('.')) return specifier
    const target = posix.join(dirname(toPosix(relative(root, path))), specifier)
    return target.replace(/\.js$/, '.ts')
  })
}

function toPosix(path: string): string {
  return path.split(sep).join('/')
}

/** The cycles of a graph, each as the list of its files; found by one walk in depth. */
export function cyclesIn({ files }: ImportGraph): string[][] {
  const cycles: string[][] = []
  const done = new Set<string>()
  const path: string[] = []
  const visit = (file: string): void => {
    const start = path.indexOf(file)
    if (start >= 0) cycles.push([...path.slice(start), file])
    if (start >= 0 || done.has(file)) return
    path.push(file)
    for (const target of files.get(file) ?? []) if (files.has(target)) visit(target)
    path.pop()
    done.add(file)
  }
  for (const file of files.keys()) visit(file)
  return cycles
}
