import { join } from 'node:path'
import type { Finding } from '../model.ts'
import { type FileSystem, lookAt, statIfPresent } from './file-system.ts'
import { generatedMarker, takesNoMarker } from './marker.ts'
import type { OutputFolder } from './output-folder.ts'

/** Reports a file in place of a generated one that the generator did not write, as far as is known (GEN-5). */
export function foreignFile(output: OutputFolder, path: string): Finding {
  const what = takesNoMarker(path)
    ? 'no manifest.json lists it as generated'
    : `its header does not say "${generatedMarker}"`
  return at(output, path, {
    rule: 'foreign-file',
    severity: 'error',
    message: `The generator has to write ${output.shown}/${path}, but a file that it did not write is there: ${what}.`,
    fix: 'Move that file elsewhere, or delete it if it is an old generated one, or configure another `output`.',
  })
}

/** Reports a folder, link or device in place of a generated file. */
export function notAFile(output: OutputFolder, path: string): Finding {
  return at(output, path, {
    rule: 'foreign-file',
    severity: 'error',
    message: `The generator has to write ${output.shown}/${path}, but that is a folder, a link or a device.`,
    fix: 'Move it elsewhere, or configure another `output`.',
  })
}

/** Reports an obsolete file without the generator's header, which is kept: a user may have changed it. */
export function keptFile(output: OutputFolder, path: string): Finding {
  return at(output, path, {
    rule: 'kept-file',
    severity: 'warning',
    message: `${output.shown}/${path} is no longer generated, but its header is gone, so it was left as it is.`,
    fix: 'Delete it if nobody needs it.',
  })
}

/**
 * Reports parents of a generated file that are not folders. A link below the output folder counts, since it would redirect
 * writes to another place; the output folder itself may be a link.
 */
export function notFolders(
  output: OutputFolder,
  folders: readonly string[],
  fileSystem: FileSystem,
): Finding[] {
  return folders.flatMap((path) => {
    const place = join(output.absolute, path)
    const found = path === '' ? statIfPresent(place, fileSystem) : lookAt(place, fileSystem)
    if (found === undefined || found.isDirectory()) return []
    return [
      at(output, path, {
        rule: 'foreign-file',
        severity: 'error',
        message: `The generator needs a folder ${shownPath(output, path)}, but that is a file or a link.`,
        fix: 'Move it elsewhere, or configure another `output`.',
      }),
    ]
  })
}

function shownPath(output: OutputFolder, path: string): string {
  return path === '' ? output.shown : `${output.shown}/${path}`
}

function at(output: OutputFolder, path: string, finding: Omit<Finding, 'at'>): Finding {
  return { ...finding, at: { file: shownPath(output, path), line: 1, column: 1 } }
}
