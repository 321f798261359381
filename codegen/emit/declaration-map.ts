import { isJsonObject } from '../../runtime/json/json.ts'
import { pointerSegment } from '../../runtime/json/json-pointer.ts'
import type { Schema } from '../../runtime/schema/schema.ts'
import type { Settings } from '../config/settings.ts'
import type { GeneratedFile, Model, SourcePosition, ToolModel } from '../model.ts'
import { toolkitTypeNames, toolTypeNames } from '../names/names.ts'
import { wayWithin } from '../paths/portable-path.ts'
import { methodName, propertyName } from '../print/literal.ts'
import { encodeVlq } from './vlq.ts'

/** A name in the generated types, with the position of its declaration. Lines and columns count from 0. */
interface Mark {
  readonly line: number
  readonly column: number
  readonly at: SourcePosition
}

/** Finds where a member is declared, by its printed name and its depth. */
type Members = (printed: string, depth: number) => SourcePosition | undefined

/**
 * Emits the map of the declaration file (TYPE-8), by which editors go from the types to the definitions. It is derived from
 * the text of the types, in which every member is on a separate line.
 *
 * @param types The result of `emitTypes`.
 */
export function emitDeclarationMap(model: Model, settings: Settings, types: GeneratedFile): GeneratedFile {
  const marks = marksIn(types.text, model)
  const sources = [...new Set(marks.map(({ at }) => at.file))].sort()
  const map = {
    version: 3,
    file: types.path,
    sourceRoot: '',
    sources: sources.map((file) => wayWithin(settings.root, settings.output, file)),
    names: [],
    mappings: mappingsOf(marks, sources),
  }
  return { path: `${types.path}.map`, text: `${JSON.stringify(map)}\n` }
}

const member = /^( +)(?:readonly )?([\w$]+|'(?:[^'\\]|\\.)*')(?=\??:|[(<])/
const declaration = /^export (?:interface|type) (\w+)/

function marksIn(text: string, model: Model): Mark[] {
  const declared = declarationsOf(model)
  const marks: Mark[] = []
  let members: Members | undefined
  text.split('\n').forEach((source, line) => {
    const [head, name = ''] = declaration.exec(source) ?? []
    if (head !== undefined) {
      const found = declared.get(name)
      members = found?.members
      if (found?.at) marks.push({ line, column: head.length - name.length, at: found.at })
      return
    }
    const [whole = '', indent = '', printed = ''] = member.exec(source) ?? []
    const at = printed === '' ? undefined : members?.(printed, indent.length / 2)
    if (at) marks.push({ line, column: whole.length - printed.length, at })
  })
  return marks
}

interface Declared {
  readonly at?: SourcePosition
  readonly members: Members
}

/** Maps the declarations in the types by name. */
function declarationsOf(model: Model): Map<string, Declared> {
  const found = new Map<string, Declared>()
  const byName = new Map(model.tools.map((tool) => [propertyName(tool.name), tool.at]))
  for (const name of ['Calls', 'ResolvedCalls', 'Outputs', 'Tools', 'Activities']) {
    found.set(name, { members: (printed, depth) => (depth === 1 ? byName.get(printed) : undefined) })
  }
  const toolkits = toolkitTypeNames(model.tools.map(({ name }) => name))
  for (const [toolkit, type] of toolkits.set('', 'CallBuilders')) {
    found.set(type, { members: builders(model.tools, toolkit) })
  }
  for (const tool of model.tools) {
    const names = toolTypeNames(tool.identifier)
    const parameters = { at: tool.at, members: properties(tool, tool.schema, '') }
    for (const name of [names.call, names.arguments, names.meta, names.resolvedCall])
      found.set(name, parameters)
    const at = tool.locate?.('/properties/_output') ?? tool.at
    found.set(names.output, { at, members: properties(tool, tool.output, '/properties/_output') })
  }
  return found
}

/** Finds the properties of an object schema; `_tool` leads to the Tool itself. */
function properties({ at, locate }: ToolModel, schema: Schema | undefined, pointer: string): Members {
  const declared =
    isJsonObject(schema) && isJsonObject(schema.properties) ? Object.keys(schema.properties) : []
  const names = new Map(declared.map((name) => [propertyName(name), name]))
  return (printed, depth) => {
    const name = depth === 1 ? names.get(printed) : undefined
    if (name === undefined) return undefined
    return name === '_tool' ? at : locate?.(`${pointer}/properties/${pointerSegment(name)}`)
  }
}

/** Finds the builders of a toolkit; without a name, those of no toolkit. */
function builders(tools: readonly ToolModel[], toolkit: string): Members {
  const before = toolkit === '' ? '' : `${toolkit}.`
  const places = new Map(
    tools
      .filter(({ name }) => name.startsWith(before))
      .map(({ name, at }) => [methodName(name.slice(before.length)), at] as const),
  )
  return (printed, depth) => (depth === 1 ? places.get(printed) : undefined)
}

/**
 * Encodes the mappings. For a position without a segment compilers use the next one, so each mapping is preceded by an empty
 * segment.
 */
function mappingsOf(marks: readonly Mark[], sources: readonly string[]): string {
  const lines: string[] = []
  let [source, sourceLine, sourceColumn] = [0, 0, 0]
  for (const { line, column, at } of marks) {
    const to = [sources.indexOf(at.file), at.line - 1, at.column - 1] as const
    const change = [column, to[0] - source, to[1] - sourceLine, to[2] - sourceColumn]
    lines[line] = `${encodeVlq(0)},${change.map(encodeVlq).join('')}`
    ;[source, sourceLine, sourceColumn] = to
  }
  return Array.from(lines, (segments) => segments ?? '').join(';')
}
