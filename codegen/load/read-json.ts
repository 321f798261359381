import { posix } from 'node:path'
import { isJsonObject, own } from '../../runtime/json/json.ts'
import { withoutMark } from '../../runtime/json/without-mark.ts'
import { messageOf } from '../../runtime/problems/message-of.ts'
import { isToolName } from '../../runtime/schema/tool-name.ts'
import { jsonMistake } from '../json/json-mistake.ts'
import type { Finding } from '../model.ts'
import type { Candidate } from './collection.ts'
import { jsonLocator } from './locator.ts'
import { isForeignTool, isSchema } from './recognise.ts'
import type { SourceText } from './source-text.ts'

/** Reads the Tools of a JSON file: one schema, a list of them, `{ "tools": [...] }`, or one Idea. */
export async function readJson(source: SourceText): Promise<Candidate[] | Finding> {
  let content: unknown
  try {
    content = JSON.parse(withoutMark(source.text))
  } catch (error) {
    return unreadable(source, error)
  }
  if (source.file.endsWith(ideaEnding)) return [ideaCandidate(source, content)]
  const list = isJsonObject(content) && !isSchema(content) ? own(content, 'tools') : content
  if (Array.isArray(list)) {
    if (list.length > 0 && list.every(isForeignTool)) return foreignTools(source, list.length)
    const prefix = list === content ? [] : ['tools']
    return list.map((item, index) => candidate(source, item, [...prefix, String(index)], ''))
  }
  return [candidate(source, content, [], posix.basename(source.file, '.json'))]
}

/** Reads the file of one Idea. Anything else in it is an error. */
const ideaEnding = '.idea.json'

function ideaCandidate(source: SourceText, value: unknown): Candidate {
  const name = posix.basename(source.file, ideaEnding)
  return { ...candidate(source, value, [], name), fallbackName: name, expected: 'idea' }
}

function candidate(source: SourceText, value: unknown, path: string[], name: string): Candidate {
  const title = isJsonObject(value) ? own(value, 'title') : undefined
  return {
    value,
    path,
    label: path.length > 0 ? `item ${path.at(-1)}` : 'file',
    fallbackName: typeof title === 'string' && isToolName(title) ? title : name,
    expected: 'tool',
    locator: (members) => jsonLocator(source, members),
  }
}

function foreignTools({ file }: SourceText, count: number): Finding {
  return {
    rule: 'malformed-tool',
    severity: 'error',
    message: `${file} holds tools (${count}) in the form of MCP or of a provider, with their schemas one level down.`,
    fix: `Turn them into definitions with: callsheet import ${file}`,
    at: { file, line: 1, column: 1 },
  }
}

function unreadable(source: SourceText, error: unknown): Finding {
  const mistake = jsonMistake(source.text)
  return {
    rule: 'unreadable-file',
    severity: 'error',
    message: `${source.file} is not JSON: ${mistake?.text ?? messageOf(error)}.`,
    fix: 'Correct the file.',
    at: { file: source.file, line: mistake?.line ?? 1, column: mistake?.column ?? 1 },
  }
}
