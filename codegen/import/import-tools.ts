import { byCodeUnit } from '../../runtime/json/json.ts'
import { pointerNames } from '../../runtime/json/pointer-names.ts'
import { flag, isString, someText, text } from '../../runtime/problems/field-rule.ts'
import { type OptionRules, requireOptionsOf } from '../../runtime/problems/option-problems.ts'
import { listSome } from '../../runtime/problems/problem.ts'
import { isToolName, sentForm } from '../../runtime/schema/tool-name.ts'
import type { Finding, GeneratedFile, SourcePosition } from '../model.ts'
import { fileName } from '../names/file-name.ts'
import { attemptTool } from './attempt-tool.ts'
import { importFinding, quoted } from './import-finding.ts'
import { constantNames, legalName, whyNoToolName } from './import-names.ts'
import { type ImportedTool, type NormalisedTool, normaliseTool } from './normalise-tool.ts'
import { importLines, printTool } from './print-tool.ts'
import { type PlacedFinding, readSource, type SourcePath, type SourceTool } from './read-source.ts'
import { refusedTools } from './refused-tools.ts'

/** The most tools that the note about hints names. */
const mostHinted = 5

export interface ImportOptions {
  /** The name of a single schema without a name, such as the source's file name without extension. */
  readonly name?: string | undefined
  /**
   * Prefix of each name, followed by a dot: it separates tools of several servers with the same names, and `prefix.*` selects
   * those of one server.
   *
   * @example importTools({ tools: [{ name: 'ping', inputSchema: { type: 'object' } }] }, { prefix: 'ops' }).files[0]?.path // 'ops.ping.ts'
   */
  readonly prefix?: string | undefined
  /** Writes all tools into one file of this name, such as `tools.ts`. Default: a file per tool. */
  readonly oneFile?: string | undefined
  /**
   * Imports tools with invalid names (TOOL-3) under the nearest valid name, and tools with a used name under one with a number,
   * instead of leaving them out.
   */
  readonly rename?: boolean | undefined
  /**
   * Keeps parameters open that do not set `additionalProperties`. Otherwise they are closed: sending fewer properties than a
   * server accepts is always valid, and a misspelt parameter is found.
   */
  readonly open?: boolean | undefined
}

/** What `importTools` returns. */
export interface ImportResult {
  /** Definitions files. Paths are relative to the definitions folder and never leave it. */
  readonly files: GeneratedFile[]
  /** Errors and notes, tool by tool. A tool with an error has no file; the others are not affected. */
  readonly findings: Finding[]
}

const optionRules: OptionRules<ImportOptions> = {
  name: text,
  prefix: [(value) => isString(value) && isToolName(value), 'a name that a Tool could have'],
  oneFile: someText,
  rename: flag,
  open: flag,
}

/**
 * Turns existing tools into definitions (GEN-10): readable TypeBox source whose Tools accept the same arguments as the
 * source's schemas, except for properties that those neither declare nor forbid (see `ImportOptions.open`).
 *
 * @param source An MCP `tools/list` result, an OpenAI (Chat Completions or Responses) or Anthropic tools array, or JSON
 * Schemas: one, a list, or an object of them by name. Parsed JSON; nothing in it is trusted.
 * @example importTools({ tools: [{ name: 'ping', inputSchema: { type: 'object' } }] }).files[0]?.path // 'ping.ts'
 */
export function importTools(source: unknown, options: ImportOptions = {}): ImportResult {
  return importPlaced(source, options, () => undefined)
}

/**
 * Imports as {@link importTools} does, with the places of findings in the source's text.
 *
 * @param locate Returns the position of the first of these paths that exists furthest.
 */
export function importPlaced(
  source: unknown,
  options: ImportOptions,
  locate: (paths: readonly SourcePath[]) => SourcePosition | undefined,
): ImportResult {
  requireOptionsOf('importTools', options, optionRules)
  const read = readSource(source, options.name)
  const named = nameTools(read.tools.map(behind(options.prefix)), options.rename ?? false)
  const normalised = named.tools.map((tool) => {
    const { tool: whole, findings } = attemptTool<NormalisedTool>(
      tool.name,
      () => normaliseTool(tool, options.open ?? false),
      (fault) => ({ tool: undefined, findings: [fault] }),
    )
    return { whole, findings: findings.map((finding) => within(tool, finding)) }
  })
  const whole = normalised.flatMap(({ whole: tool }) => tool ?? [])
  const refused = refusedTools(whole)
  const tools = whole
    .filter(({ name }) => refused.every(({ tool }) => tool !== name))
    .sort((left, right) => byCodeUnit(left.name, right.name))
  const printed = printTools(tools)
  const sources = new Map(named.tools.map((tool) => [tool.name, tool]))
  const findings = [
    ...read.findings,
    ...named.findings,
    ...normalised.flatMap((one) => one.findings),
    ...hintsFinding(tools),
    ...[...refused, ...printed.findings].map((finding) => within(sources.get(finding.tool ?? ''), finding)),
  ].map(({ finding, places }) => {
    const at = locate(places)
    return at ? { ...finding, at } : finding
  })
  return { files: filesOf(printed.texts, options.oneFile), findings }
}

/** Notes once which effects are claims of the server. */
function hintsFinding(tools: readonly ImportedTool[]): PlacedFinding[] {
  const hinted = tools.filter(({ effectsFrom }) => effectsFrom === 'hints')
  if (hinted.length === 0) return []
  const named = listSome(
    hinted.map(({ name, effects }) => `${quoted(name)} (${effects})`),
    mostHinted,
    ', ',
  )
  const message = `The effects of these tools follow the hints of their server, which are not verified: ${named}.`
  return [{ finding: importFinding('import-hints', message), places: [[]] }]
}

/** Adds where a finding about a tool is in the source. Its pointer leads into one of the tool's schemas. */
function within(source: SourceTool | undefined, finding: Finding): PlacedFinding {
  if (!source) return { finding, places: [[]] }
  const { tool, input, output } = source.places
  const steps = pointerNames(finding.pointer ?? '')
  if (steps.length === 0) return { finding, places: [tool] }
  // The checks of a whole Tool see the output as a property.
  if (output && steps[0] === 'properties' && steps[1] === '_output') {
    return { finding, places: [[...output, ...steps.slice(2)]] }
  }
  const schemas = output ? [input, output] : [input]
  return { finding, places: schemas.map((path) => [...path, ...steps]) }
}

function behind(prefix: string | undefined): (tool: SourceTool) => SourceTool {
  return (tool) => (prefix === undefined ? tool : { ...tool, name: `${prefix}.${tool.name}` })
}

function hasToolName({ name }: SourceTool): boolean {
  return isToolName(name)
}

/** Refuses or corrects names that TOOL-3 does not allow, and names that collide with another's provider-safe form. */
function nameTools(
  sources: readonly SourceTool[],
  rename: boolean,
): { tools: SourceTool[]; findings: PlacedFinding[] } {
  const tools: SourceTool[] = []
  const findings: PlacedFinding[] = []
  const owners = new Map<string, string>()
  // Renamed tools keep away from these: a tool added at the source must not get the name of another.
  const kept = new Set(rename ? sources.filter(hasToolName).map(({ name }) => sentForm(name)) : [])
  for (const source of sources) {
    let legal = hasToolName(source) ? source.name : legalName(source.name)
    if (legal !== source.name && !rename) {
      const message = `${quoted(source.name)} cannot name a Tool: ${whyNoToolName(source.name)}.`
      const fix = `Rename it at its source, or pass --rename, which imports it as ${quoted(legal)}.`
      findings.push(within(source, importFinding('import-name', message, { tool: source.name, fix })))
      continue
    }
    let key = sentForm(legal)
    const owner = owners.get(key)
    if (rename && (owner !== undefined || (legal !== source.name && kept.has(key)))) {
      const plain = legal
      for (let count = 2; owners.has(key) || kept.has(key); count++) {
        legal = `${plain}_${count}`
        key = sentForm(legal)
      }
    } else if (owner !== undefined) {
      const message =
        owner === legal
          ? `Two tools are named ${quoted(legal)}; the later one is left out.`
          : `${quoted(legal)} and ${quoted(owner)} are one name to a provider that ignores case; the later one is left out.`
      findings.push(within(source, importFinding('import-duplicate', message, { tool: legal })))
      continue
    }
    owners.set(key, legal)
    if (legal !== source.name) {
      const message = `${quoted(source.name)} is imported as ${quoted(legal)}.`
      findings.push(within(source, importFinding('import-renamed', message, { tool: legal })))
    }
    tools.push({ ...source, name: legal })
  }
  return { tools, findings }
}

/** The source of a Tool's definition, without imports. */
interface PrintedTool {
  readonly name: string
  readonly text: string
}

function printTools(tools: readonly ImportedTool[]): {
  readonly texts: readonly PrintedTool[]
  readonly findings: readonly Finding[]
} {
  const constants = constantNames(tools.map(({ name }) => name))
  const findings: Finding[] = []
  const texts = tools.flatMap((tool) =>
    attemptTool<PrintedTool[]>(
      tool.name,
      () => [{ name: tool.name, text: printTool(tool, constants.get(tool.name) ?? '') }],
      (fault) => {
        findings.push(fault)
        return []
      },
    ),
  )
  return { texts, findings }
}

function filesOf(texts: readonly PrintedTool[], oneFile: string | undefined): GeneratedFile[] {
  if (oneFile === undefined) {
    return texts.map(({ name, text }) => ({ path: `${fileName(name)}.ts`, text: `${importLines}\n${text}` }))
  }
  if (texts.length === 0) return []
  return [{ path: oneFile, text: [importLines, ...texts.map(({ text }) => text)].join('\n') }]
}
