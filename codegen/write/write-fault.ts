import { GeneratorError } from '../generator-error.ts'
import { systemCode } from './file-system.ts'

/** The reason and the fix of each system error. */
const reasons: Readonly<Record<string, { reason: string; fix: string }>> = {
  EACCES: { reason: 'permission denied', fix: 'Give this user write permission on it, or run as its owner.' },
  EPERM: {
    reason: 'the operation is not permitted',
    fix: 'Check its owner and attributes, and that no other program holds it.',
  },
  EBUSY: {
    reason: 'another program holds it',
    fix: 'Close it there, or wait until that program is done, and run it again.',
  },
  EROFS: {
    reason: 'the file system is read-only',
    fix: 'Run it where the folder is writable; `callsheet generate --check` needs no write access.',
  },
  ENOSPC: { reason: 'the disk is full', fix: 'Free some space and run it again.' },
  EDQUOT: { reason: 'the disk quota is used up', fix: 'Free some space and run it again.' },
  ENOTDIR: {
    reason: 'a part of the path is a file, not a folder',
    fix: 'Move that file, or choose another folder: `output` in the configuration, --out of a command.',
  },
  EISDIR: { reason: 'it is a folder', fix: 'Move that folder, or configure another `output`.' },
  ENOENT: {
    reason: 'no folder can be made there, or a link on its path leads nowhere',
    fix: 'Mend or remove such a link, or configure another `output`.',
  },
  ENAMETOOLONG: {
    reason: 'the path is too long for this file system',
    fix: 'Shorten the Tool name or move the project up.',
  },
  EMFILE: { reason: 'too many files are open', fix: 'Raise the limit (`ulimit -n`) and run it again.' },
}

/** Only the run's temporary folder remains, which the next run removes. */
export const allWritten = 'all files are written; the next run clears up'

/** The progress of a run at the error; the message includes it, since it decides what to do. */
export type WriteProgress =
  | 'nothing was changed'
  | 'some files were already replaced; run it again when this is solved'
  | 'some files were already written; run it again when this is solved'
  | typeof allWritten

/** Converts a system error to one that names the path, the reason and the next step. */
export function writeFault(error: unknown, path: string, progress: WriteProgress): GeneratorError {
  if (error instanceof GeneratorError) return error
  const code = systemCode(error)
  const known = code === undefined ? undefined : reasons[code]
  const reason = known ? `${known.reason} (${code})` : error instanceof Error ? error.message : String(error)
  const fix = known?.fix ?? 'Solve that and run it again.'
  return new GeneratorError(
    'cannot_write',
    [{ message: `Cannot write ${path}: ${reason}; ${progress}.`, fix }],
    error,
  )
}
