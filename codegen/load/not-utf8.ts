import { isUtf8 } from 'node:buffer'
import type { Finding } from '../model.ts'
import { readBytesIfPresent, realFileSystem } from '../write/file-system.ts'
import type { SourceText } from './source-text.ts'

/** What stands in a text for bytes that are no UTF-8. A text can also say it itself. */
const replacement = '\ufffd'

/** A source in another encoding: its letters would come to models and into generated code as replacement characters. */
export function notUtf8(source: SourceText): Finding[] {
  const offset = source.text.indexOf(replacement)
  if (offset === -1) return []
  const bytes = readBytesIfPresent(source.path, realFileSystem)
  if (bytes === undefined || isUtf8(bytes)) return []
  return [
    {
      rule: 'wrong-encoding',
      severity: 'warning',
      message: `${source.file} is not UTF-8: some of its letters are read as "${replacement}".`,
      fix: 'Save it as UTF-8.',
      at: source.position(offset),
    },
  ]
}
