import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { laidOut, root, writePage } from './lay-out.ts'

/** The entries that people import, each with the first sentence of its page. Only generated code imports the others. */
export const apiEntries: Readonly<Record<string, string>> = {
  callsheet: 'Tools, registries, Calls and their Outcomes, contexts, composed and lowered schemas, errors.',
  'callsheet/agent': 'Requests, agents, Ideas and Vessels, approvals, executors.',
  'callsheet/testing':
    'Models for tests: scripted, random, and behind a server that fails on demand; replay.',
  'callsheet/server': 'Tools served over HTTP and MCP, stores of Outcomes, Activities on a remote server.',
  'callsheet/restate': 'Agents, plans and Calls on a Restate server, where they survive their processes.',
  'callsheet/temporal': 'Activities and agents for a Temporal worker.',
  'callsheet/workflow': 'Calls, plans and agents in a Temporal workflow.',
  'callsheet/codegen': 'The generator for build scripts, the import of tools, and the configuration.',
}

/** Returns the path of an entry's page on the site. */
export const apiPage = (entry: string): string => `api/${entry}.md`

/** Writes the API reference of each entry from the doc comments of its declarations. Needs a build. */
export function writeApiPages(): void {
  const work = join(root, 'docs/site/.api')
  rmSync(work, { recursive: true, force: true })
  for (const [entry, summary] of Object.entries(apiEntries)) {
    const path = join(work, `${entry}.d.ts`)
    mkdirSync(dirname(path), { recursive: true })
    // The path of this file is the entry's name on the site; it exports the same as the package's entry.
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
  writePage('api/index.md', `# API\n\nThe exports of each entry of the package.\n\n${list.join('\n')}\n`)
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
  // TypeDoc's own index page; the list of entries replaces it.
  entryFileName: 'index',
  readme: 'none',
  logLevel: 'Warn',
  treatWarningsAsErrors: true,
  // Source links would need a public address of the repository.
  disableSources: true,
  groupOrder: ['Functions', 'Classes', 'Interfaces', 'Type Aliases', 'Variables'],
  hidePageHeader: true,
  hideBreadcrumbs: true,
  // Explicit ids, so that a name that occurs twice links to the right heading.
  useCustomAnchors: true,
  useCodeBlocks: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  propertiesFormat: 'table',
  typeDeclarationFormat: 'table',
}
