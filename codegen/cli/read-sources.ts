import { resolve } from 'node:path'
import { withoutMark } from '../../runtime/json/without-mark.ts'
import { shorten } from '../../runtime/problems/shorten.ts'
import { type Fault, GeneratorError } from '../generator-error.ts'
import { jsonMistake } from '../json/json-mistake.ts'
import type { Finding } from '../model.ts'
import { systemCode } from '../write/file-system.ts'
import { readText } from './read-text.ts'
import type { Terminal } from './terminal.ts'

/** A file to import: its parsed JSON, or findings about it. */
export interface Source {
  /** The path as the user wrote it. */
  readonly name: string
  readonly data: unknown
  readonly text: string
  readonly findings: readonly Finding[]
}

const tools = 'the tools as JSON: an MCP tools/list result, a tools array, or JSON Schemas'

/**
 * Reads JSON files; `-` is standard input. `wanted` names the expected content in errors.
 *
 * @throws GeneratorError `invalid_usage` that lists every unreadable file.
 */
export async function readSources(
  names: readonly string[],
  cwd: string,
  terminal: Terminal,
  wanted: string = tools,
): Promise<Source[]> {
  const faults: Fault[] = []
  const sources: Source[] = []
  for (const name of names) {
    try {
      const text = name === '-' ? await terminal.readInput() : readText(resolve(cwd, name))
      sources.push(parseSource(name, text, wanted))
    } catch (error) {
      if (error instanceof GeneratorError) throw error
      const code = systemCode(error)
      if (code === undefined) throw error
      const reason = code === 'ENOENT' ? 'it does not exist' : code === 'EISDIR' ? 'it is a folder' : code
      faults.push({
        message: `Cannot read ${shorten(name, 200)}: ${reason}.`,
        fix: /^https?:/.test(name)
          ? `import reads files. Let another command fetch it: curl -s ${shorten(name, 200)} | callsheet import -`
          : 'Name a JSON file, or - for standard input.',
      })
    }
  }
  if (faults.length > 0) throw new GeneratorError('invalid_usage', faults)
  return sources
}

function parseSource(name: string, written: string, wanted: string): Source {
  const text = withoutMark(written)
  try {
    return { name, text, data: JSON.parse(text), findings: [] }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { name, text, data: undefined, findings: [notJson(name, text, error, wanted)] }
  }
}

function notJson(name: string, text: string, error: SyntaxError, wanted: string): Finding {
  const isStream = isEventStream(text)
  const place = text.trim() === '' || isStream ? undefined : jsonMistake(text)
  return {
    rule: 'import-not-json',
    severity: 'error',
    message:
      text.trim() === ''
        ? 'The source is empty.'
        : isStream
          ? 'The source is an event stream (text/event-stream) instead of JSON.'
          : `The source is not JSON: ${place?.text ?? error.message}.`,
    fix: isStream ? `Pass only the JSON after "data:", which has to be ${wanted}.` : `Pass ${wanted}.`,
    at: { file: name === '-' ? '<stdin>' : name, line: place?.line ?? 1, column: place?.column ?? 1 },
  }
}

/** Whether a text is what MCP servers answer over HTTP: events whose data is JSON. */
function isEventStream(text: string): boolean {
  return /^\uFEFF?\s*(?:event|data|id|retry)?:/.test(text) && /^data: ?[{[]/m.test(text)
}
