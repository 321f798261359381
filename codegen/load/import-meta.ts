import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SourceText } from './source-text.ts'

const fileFacts = /\bimport\.meta\.(url|filename|dirname)\b/g

/**
 * Replaces `import.meta.url` and its relatives in a file by the file's own location, since the bundle is in another folder.
 *
 * @returns undefined if the file does not use them.
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
