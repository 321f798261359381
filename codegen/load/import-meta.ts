import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SourceText } from './source-text.ts'

const fileFacts = /\bimport\.meta\.(url|filename|dirname)\b/g

/**
 * The text of a file in which `import.meta.url` and its relatives say where the file stands, since the bundle that it
 * becomes part of stands elsewhere.
 *
 * @returns undefined when the file does not ask.
 */
export function withOwnImportMeta(source: SourceText): string | undefined {
  if (!source.text.includes('import.meta.')) return undefined
  const facts: Record<string, string> = {
    url: pathToFileURL(source.path).href,
    filename: source.path,
    dirname: dirname(source.path),
  }
  let rewritten = ''
  let end = 0
  for (const match of source.code.matchAll(fileFacts)) {
    rewritten += source.text.slice(end, match.index) + JSON.stringify(facts[match[1] ?? ''])
    end = match.index + match[0].length
  }
  return end === 0 ? undefined : rewritten + source.text.slice(end)
}
