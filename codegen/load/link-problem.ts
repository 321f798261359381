import type { Metafile } from 'esbuild'
import { messageOf } from '../../runtime/problems/message-of.ts'
import type { SourcePosition } from '../model.ts'
import type { SourceText } from './source-text.ts'
import { stackOf } from './thrown-text.ts'

/** The reason why Node could not link the definitions with the packages that they import. */
export interface LinkProblem {
  /** The files with the import, relative to the root; empty if the error does not name it. */
  readonly files: string[]
  readonly message: string
  readonly fix: string
  readonly at?: SourcePosition
}

/** The failed import, as far as an error names it. */
interface Failure {
  /** The import specifier, or the package that it belongs to. */
  readonly specifier: string
  /** The name that the module does not export. */
  readonly name?: string
  readonly fix: string
}

/** What is looked for in another entry of Callsheet than the one that has it. */
const homes: ReadonlyMap<string, string> = new Map([
  ['Type', 'typebox'],
  ['tool', 'callsheet'],
  ['toolkit', 'callsheet'],
  ['defineConfig', 'callsheet/codegen'],
])

/** Node names the failed import only in its message. */
const failures: readonly { says: RegExp; read(match: RegExpMatchArray): Failure }[] = [
  {
    says: /Cannot find package '([^']+)'/,
    read: ([, specifier = '']) => ({ specifier, fix: fixOfMissing(specifier) }),
  },
  {
    says: /No such built-in module: (\S+)/,
    read: ([, specifier = '']) => ({
      specifier,
      fix: `Use a version of Node that has ${specifier}, or import something else.`,
    }),
  },
  {
    says: /does not provide an export named '([^']+)'/,
    read: ({ 1: name = '', input = '' }) => {
      const specifier = input.match(/requested module '([^']+)'/)?.[1] ?? ''
      const home = /^callsheet(?:\/|$)/.test(specifier) ? homes.get(name) : undefined
      const fix = 'Correct the imported name, or install a version of the package that has it.'
      return { specifier, name, fix: home ? `Import it from '${home}'.` : fix }
    },
  },
  {
    says: /Named export '([^']+)' not found\. The requested module '([^']+)'/,
    read: ([, name = '', specifier = '']) => ({
      specifier,
      name,
      fix: `The package is CommonJS: import its default export and take "${name}" from that.`,
    }),
  },
  {
    says: /Package subpath '\.([^']*)' is not defined by "exports" in .*node_modules[\\/](.+)[\\/]package\.json/,
    read: ([, subpath = '', name = '']) => ({
      specifier: name.replaceAll('\\', '/') + subpath,
      fix: 'Import a path that the package exports.',
    }),
  },
  {
    // The package exists, but not the file that its package.json names.
    says: /Cannot find module '[^']*node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/'"]+)[^']*'/,
    read: ([, name = '']) => {
      const specifier = name.replaceAll('\\', '/')
      const build = `Build ${specifier} first where it is a package of your workspace, or let its "exports" name its TypeScript source`
      return { specifier, fix: `${build}. Otherwise install it again.` }
    },
  },
  {
    says: /node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/'"]+)/,
    read: ([, specifier = '']) => ({
      specifier: specifier.replaceAll('\\', '/'),
      fix: 'Repair the package: install it again, or a version that runs on this Node.',
    }),
  },
]

/** No package has a name such as `@/lib` or `~`: it is an alias that this `tsconfig.json` does not declare. */
function fixOfMissing(specifier: string): string {
  return /^(?:@\/|~)/.test(specifier)
    ? 'Declare the alias under "paths" in tsconfig.json itself or a file that it extends ("references" are not followed), or import a relative path.'
    : `Install it: npm install --save-dev ${specifier}`
}

/** Reads the error that Node threw while linking the bundle, and finds the import in the sources. */
export function linkProblem(
  error: unknown,
  sources: Iterable<SourceText>,
  inputs: Metafile['inputs'],
): LinkProblem {
  const message = messageOf(error)
  const failure = readFailure(message) ?? readFailure(stackOf(error))
  const culprits = failure
    ? [...sources].filter((source) => importsIt(inputs[source.file]?.imports ?? [], source, failure))
    : []
  const [first] = culprits
  const others = culprits.length > 1 ? ` It is also imported by ${listed(culprits.slice(1))}.` : ''
  return {
    files: culprits.map(({ file }) => file),
    message: `${withoutPaths(message)}${others}`,
    fix: failure?.fix ?? 'Make the module that the definitions import run on its own.',
    ...(first && failure && { at: importPosition(first, failure) }),
  }
}

function readFailure(text: string): Failure | undefined {
  for (const { says, read } of failures) {
    const match = text.match(says)
    if (match) return read(match)
  }
  return undefined
}

function importsIt(
  imports: Metafile['inputs'][string]['imports'],
  source: SourceText,
  { specifier, name }: Failure,
): boolean {
  const imported = imports.some(
    ({ path, external }) => external && (path === specifier || path.startsWith(`${specifier}/`)),
  )
  return imported && (name === undefined || source.code.split(/[^\w$]+/).includes(name))
}

function importPosition(source: SourceText, { specifier, name }: Failure): SourcePosition {
  const at = ["'", '"']
    .flatMap((quote) => [`${quote}${specifier}${quote}`, `${quote}${specifier}/`])
    .map((text) => source.uncommented.indexOf(text))
    .find((index) => index !== -1)
  const named = name === undefined ? -1 : source.code.indexOf(name)
  return source.position(named === -1 ? (at ?? 0) : named)
}

function listed(sources: readonly SourceText[]): string {
  const shown = sources.slice(0, 5).map(({ file }) => file)
  return (
    shown.join(', ') + (sources.length > shown.length ? ` and ${sources.length - shown.length} more` : '')
  )
}

/** Removes the path of the temporary module, which means nothing to users and differs in each run. */
function withoutPaths(message: string): string {
  const [first = ''] = message.split('\n')
  const sentence = first.replace(/ imported from .*/, '')
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
}
