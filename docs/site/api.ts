import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { laidOut, root, writePage } from './lay-out.ts'

/** The entries that people import, each with what its page says first. Generated code alone imports the others. */
export const apiEntries: Readonly<Record<string, string>> = {
  callsheet: 'Tools, registries, Calls and their Outcomes, contexts, composed and lowered schemas, errors.',
  'callsheet/agent': 'Requests, the loop around them, Ideas and Vessels, approvals, executors.',
  'callsheet/testing':
    'Models for tests: scripted, random, and behind a server that goes wrong on demand; replay.',
  'callsheet/server': 'Tools served over HTTP and MCP, stores of Outcomes, Activities that run elsewhere.',
  'callsheet/restate': 'Agents, plans and Calls on a Restate server, where they outlive their processes.',
  'callsheet/temporal': 'Activities and agents as a worker of Temporal registers them.',
  'callsheet/workflow': 'Calls, plans and agents within a workflow of Temporal.',
  'callsheet/codegen': 'The generator for build scripts, the import of tools, and the configuration.',
}

/** The page of an entry on the site. */
export const apiPage = (entry: string): string => `api/${entry}.md`

/** Writes the reference of each entry from the doc comments of its declarations, which have to be built. */
export function writeApiPages(): void {
  const work = join(root, 'docs/site/.api')
  rmSync(work, { recursive: true, force: true })
  for (const [entry, summary] of Object.entries(apiEntries)) {
    const path = join(work, `${entry}.d.ts`)
    mkdirSync(dirname(path), { recursive: true })
    // The path of this file is the entry's name on the site; what it exports is what the package exports.
    const declarations = JSON.stringify(join(root, declarationsOf(entry)).replace(/\.d\.ts$/, '.js'))
    writeFileSync(path, `/**\n * ${summary}\n *\n * @module ${entry}\n */\nexport * from ${declarations}\n`)
  }
  writeFileSync(join(work, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.d.ts'] }))
  writeFileSync(
    join(work, 'typedoc.json'),
    JSON.stringify({
      entryPoints: Object.keys(apiEntries).map((entry) => `${entry}.d.ts`),
      out: join(laidOut, 'api'),
      ...typedocOptions,
    }),
  )
  const typedoc = join(root, 'docs/site/node_modules/typedoc/bin/typedoc')
  execFileSync(process.execPath, [typedoc, '--options', join(work, 'typedoc.json')], { stdio: 'inherit' })
  const list = Object.entries(apiEntries).map(
    ([entry, summary]) => `- [\`${entry}\`](${apiPage(entry).slice('api/'.length)}): ${summary}`,
  )
  writePage('api/index.md', `# API\n\nWhat each entry of the package exports.\n\n${list.join('\n')}\n`)
}

/** The declarations of an entry, as package.json names them. */
function declarationsOf(entry: string): string {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, { types?: string }>
  }
  const types = exports[entry.replace(/^callsheet/, '.')]?.types
  if (types === undefined) throw new Error(`package.json exports no declarations for "${entry}".`)
  return types
}

const compilerOptions = {
  target: 'es2023',
  lib: ['es2023', 'dom'],
  module: 'nodenext',
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
}

const typedocOptions = {
  tsconfig: 'tsconfig.json',
  plugin: ['typedoc-plugin-markdown'],
  router: 'module',
  // What it writes there, the list of entries below replaces.
  entryFileName: 'index',
  readme: 'none',
  logLevel: 'Warn',
  treatWarningsAsErrors: true,
  // The files that a reader could be sent to have no public address.
  disableSources: true,
  groupOrder: ['Functions', 'Classes', 'Interfaces', 'Type Aliases', 'Variables'],
  hidePageHeader: true,
  hideBreadcrumbs: true,
  // The headings say their own ids, so that a name that comes twice is found under the right one.
  useCustomAnchors: true,
  useCodeBlocks: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  propertiesFormat: 'table',
  typeDeclarationFormat: 'table',
}
