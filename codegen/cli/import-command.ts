import { basename, extname, resolve } from 'node:path'
import { isToolName } from '../../runtime/schema/tool-name.ts'
import { hasError } from '../findings/has-error.ts'
import { GeneratorError } from '../generator-error.ts'
import { quoted } from '../import/import-finding.ts'
import { whyNoToolName } from '../import/import-names.ts'
import type { Finding, GeneratedFile } from '../model.ts'
import { portablePath } from '../paths/portable-path.ts'
import { realFileSystem } from '../write/file-system.ts'
import type { OutputFolder } from '../write/output-folder.ts'
import type { Command, Given } from './command.ts'
import { readSources, type Source } from './read-sources.ts'
import { type ExitCode, exitCode, type Terminal } from './terminal.ts'

export const importCommand: Command = {
  operands: 'FILE…',
  about: `Converts existing tools to definitions, as readable TypeBox source: an MCP tools/list result, an OpenAI or
Anthropic tools array, or plain JSON Schemas. FILE is a JSON file, or - for standard input. Existing definition
files are not overwritten, unless --force is given.`,
  options: {
    out: { type: 'string', value: 'DIR', help: 'The folder to write definitions to. Default: definitions.' },
    'one-file': {
      type: 'boolean',
      help: 'Write all Tools of a FILE into one definition file instead of one each.',
    },
    prefix: {
      type: 'string',
      value: 'NAME',
      help: 'Prefix each name, as in slack.search, if several servers share names.',
    },
    rename: {
      type: 'boolean',
      help: 'Import Tools with invalid or used names under the nearest free name.',
    },
    open: {
      type: 'boolean',
      help: 'Keep parameters open that do not set additionalProperties. Default: they are closed.',
    },
    force: { type: 'boolean', help: 'Overwrite definition files that exist.' },
  },
  examples: [
    ['callsheet import tools.json', 'one definition file per tool'],
    ['callsheet import mcp.json --out contract/definitions --one-file', 'one file for all of them'],
    ['callsheet import slack.json --prefix slack', 'slack.search, next to the search of other servers'],
    ['curl -s https://example.com/tools | callsheet import -', 'from another program'],
  ],
  run: importFiles,
}

async function importFiles(given: Given, terminal: Terminal): Promise<ExitCode> {
  if (given.operands.length === 0) {
    const fault = {
      message: 'No file to import was given.',
      fix: 'Name a JSON file, or - for standard input.',
    }
    throw new GeneratorError('invalid_usage', [fault])
  }
  const prefix = given.values.get('prefix')
  if (prefix !== undefined && !isToolName(prefix)) {
    const message = `Option --prefix has to be a name that a Tool could have, got ${quoted(prefix)}: ${whyNoToolName(prefix)}.`
    throw new GeneratorError('invalid_usage', [{ message, fix: 'Choose another, such as --prefix slack.' }])
  }
  const cwd = resolve(terminal.cwd, given.values.get('cwd') ?? '.')
  const sources = await readSources(given.operands, cwd, terminal)
  const imported = await importSources(sources, given)
  const output = outputFolder(cwd, given.values.get('out') ?? 'definitions')

  const { writeNewFiles } = await import('../write/write-new-files.ts')
  const result = writeNewFiles(imported.files, output, given.flags.has('force'), realFileSystem)

  const { showImport } = await import('./import-output.ts')
  const findings = [...imported.findings, ...result.findings]
  const shown = (path: string): string => `${output.shown}/${path}`
  showImport(
    {
      ok: !hasError(findings),
      findings,
      written: result.written.map(shown),
      unchanged: result.unchanged.map(shown),
    },
    given,
    terminal,
  )
  return hasError(findings) ? exitCode.findings : exitCode.ok
}

/** Returns the definitions of all sources. A Tool that cannot be imported is left out and becomes a finding. */
async function importSources(
  sources: readonly Source[],
  given: Given,
): Promise<{ files: GeneratedFile[]; findings: Finding[] }> {
  const { importPlaced } = await import('../import/import-tools.ts')
  const { locatorIn } = await import('../import/locate-in-source.ts')
  const files = new Map<string, GeneratedFile>()
  const findings: Finding[] = []
  for (const source of sources) {
    findings.push(...source.findings)
    if (source.findings.length > 0) continue
    const name = source.name === '-' ? 'tools' : basename(source.name, extname(source.name))
    const options = {
      name,
      rename: given.flags.has('rename'),
      open: given.flags.has('open'),
      prefix: given.values.get('prefix'),
      ...(given.flags.has('one-file') && { oneFile: oneFileName(name) }),
    }
    const locate = locatorIn(shownName(source.name), source.text)
    const imported = importPlaced(source.data, options, locate)
    findings.push(...imported.findings)
    for (const file of imported.files) {
      // On a file system that ignores case, the second file would overwrite the first.
      const key = file.path.toLowerCase()
      if (files.has(key)) findings.push(sameFile(file.path, source.name))
      else files.set(key, file)
    }
  }
  return { files: [...files.values()], findings }
}

/** Names the one file after its source. `generate` does not read `x.test.ts` and `x.d.ts`. */
function oneFileName(name: string): string {
  return `${name.replace(/\.(?=(?:d|test)$)/, '-')}.ts`
}

function shownName(source: string): string {
  return source === '-' ? '<stdin>' : source
}

function sameFile(path: string, source: string): Finding {
  return {
    rule: 'import-same-file',
    severity: 'error',
    message: `${shownName(source)} produces the definition file ${path}, which an earlier source produced already. The earlier one was kept.`,
    fix: 'Import the sources one by one, each with a --prefix of its own.',
    at: { file: shownName(source), line: 1, column: 1 },
  }
}

function outputFolder(cwd: string, out: string): OutputFolder {
  const absolute = resolve(cwd, out)
  return { absolute, shown: portablePath(cwd, absolute) || '.' }
}
