import { constants } from 'node:fs'
import { dirname, join } from 'node:path'
import type { GeneratedFile } from '../model.ts'
import { readClaims } from './claims.ts'
import { type FileSystem, lookAt, makeFolder, remove, systemCode } from './file-system.ts'
import { defaultPatience, type Lock, type Patience, takeLock } from './lock.ts'
import type { OutputFolder } from './output-folder.ts'
import { type PlannedChange, planWrite, type WritePlan } from './plan.ts'
import { journalPath, runFolder, runFolderName, stagePath } from './run-folder.ts'
import { allWritten, type WriteProgress, writeFault } from './write-fault.ts'

/**
 * Makes `files` the generated content of the output folder, without touching files of others. Returns the plan that was
 * carried out; if one of its findings is an error, nothing was written. Without changes nothing is touched, not even the
 * folder's time.
 *
 * If the process is killed, only complete files remain: each is staged and moved into place, obsolete ones are removed first,
 * the manifest is written last, and the next run cleans up.
 *
 * @param first The plan, if the caller has made it already.
 * @throws GeneratorError `cannot_write` (a full or read-only disk; with the path), `locked`.
 */
export async function writeFiles(
  files: readonly GeneratedFile[],
  output: OutputFolder,
  fileSystem: FileSystem,
  patience: Patience = defaultPatience,
  first: WritePlan = planWrite(files, output, fileSystem),
): Promise<WritePlan> {
  if (first.findings.some((finding) => finding.severity === 'error')) return first
  const leftOver = lookAt(runFolder(output.absolute), fileSystem) !== undefined
  if (first.changes.length === 0 && !leftOver) return first

  const lock = await takeLock(output, fileSystem, patience).catch((error: unknown) => {
    throw writeFault(error, output.shown, 'nothing was changed')
  })
  return untilReleased(lock, output, () => {
    // Another run may have written while this one waited.
    const plan = planWrite(files, output, fileSystem)
    if (!plan.findings.some((finding) => finding.severity === 'error'))
      applyChanges(plan, output, lock, fileSystem)
    return plan
  })
}

/** Releases the lock after the work. If that fails too, the error of the work is thrown, which is more informative. */
function untilReleased<Result>(lock: Lock, output: OutputFolder, work: () => Result): Result {
  let result: Result
  try {
    result = work()
  } catch (error) {
    quietly(() => lock.release())
    throw error
  }
  try {
    lock.release()
  } catch (error) {
    throw writeFault(error, `${output.shown}/${runFolderName}`, allWritten)
  }
  return result
}

function applyChanges(plan: WritePlan, output: OutputFolder, lock: Lock, fileSystem: FileSystem): void {
  const stage = stagePath(output.absolute, lock.run)
  let progress: WriteProgress = 'nothing was changed'
  let current = ''
  // A killed run's journal is still needed if this run fails too.
  const journalled = lookAt(journalPath(output.absolute), fileSystem) !== undefined
  const step = <Change extends PlannedChange>(
    changes: readonly Change[],
    act: (change: Change) => void,
  ): void => {
    for (const change of changes) {
      current = change.path
      act(change)
    }
  }
  const seen = new Set<string>()
  // A thousand files are in three folders, so do the work once per folder.
  const onceFor = (folder: string, act: (folder: string) => void): void => {
    if (seen.has(folder)) return
    act(folder)
    seen.add(folder)
  }
  const written = plan.changes.filter((change) => change.kind !== 'removed')
  const removed = plan.changes.filter((change) => change.kind === 'removed')
  try {
    clearLeftOvers(output.absolute, fileSystem)
    keepJournal(plan, output.absolute, fileSystem)
    step(written, ({ path, after }) => {
      onceFor(dirname(join(stage, path)), (folder) => makeFolder(folder, fileSystem))
      fileSystem.writeFileSync(join(stage, path), after)
    })
    step(plan.changes, ({ path, kind }) => {
      onceFor(dirname(join(output.absolute, path)), (folder) => askForAccess(folder, kind, fileSystem))
    })
    progress = 'some files were already replaced; run it again when this is solved'
    step(removed, (change) => remove(join(output.absolute, change.path), fileSystem))
    step(written, (change) =>
      fileSystem.renameSync(join(stage, change.path), join(output.absolute, change.path)),
    )
    step(removed, (change) => dropEmptyFolders(output.absolute, dirname(change.path), fileSystem))
    progress = allWritten
    current = runFolderName
    remove(stage, fileSystem)
    remove(journalPath(output.absolute), fileSystem)
  } catch (error) {
    dropQuietly(stage, fileSystem)
    if (progress === 'nothing was changed' && !journalled)
      dropQuietly(journalPath(output.absolute), fileSystem)
    throw writeFault(error, `${output.shown}/${current}`.replace(/\/$/, ''), progress)
  }
}

/** Removes the staged files of a killed run. Its journal stays until this run's journal includes it. */
function clearLeftOvers(folder: string, fileSystem: FileSystem): void {
  for (const name of fileSystem.readdirSync(runFolder(folder))) {
    if (name.startsWith('new-')) remove(join(runFolder(folder), name), fileSystem)
  }
}

/** Writes the journal of the generator's current and future files, since the manifest is written last. */
function keepJournal(plan: WritePlan, folder: string, fileSystem: FileSystem): void {
  const files = new Set([
    ...readClaims(folder, fileSystem).listed,
    ...plan.changes.map((change) => change.path),
  ])
  makeFolder(dirname(journalPath(folder)), fileSystem)
  fileSystem.writeFileSync(`${journalPath(folder)}-next`, JSON.stringify({ files: [...files] }))
  fileSystem.renameSync(`${journalPath(folder)}-next`, journalPath(folder))
}

/** Checks in advance that files can be moved into a folder, or removed from it, so that a failure changes nothing. */
function askForAccess(folder: string, kind: PlannedChange['kind'], fileSystem: FileSystem): void {
  if (kind !== 'removed') makeFolder(folder, fileSystem)
  fileSystem.accessSync(folder, constants.W_OK | constants.X_OK)
}

/** Removes empty folders, up to the output folder. */
function dropEmptyFolders(folder: string, under: string, fileSystem: FileSystem): void {
  for (let path = under; path !== '.' && path !== ''; path = dirname(path)) {
    try {
      fileSystem.rmdirSync(join(folder, path))
    } catch (error) {
      const code = systemCode(error)
      if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOENT') return
      throw error
    }
  }
}

/** Removes a staged path, ignoring errors. */
function dropQuietly(path: string, fileSystem: FileSystem): void {
  quietly(() => remove(path, fileSystem))
}

/** Runs a cleanup during another error, which is more informative than a failure of the cleanup. */
function quietly(clearUp: () => void): void {
  try {
    clearUp()
  } catch (error) {
    if (systemCode(error) === undefined) throw error
  }
}
