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
 * Makes the output folder hold exactly `files`, and leaves every other file alone. Returns what it did; with an error
 * among the findings it did nothing. A run that changes nothing touches nothing, not even the folder's time.
 *
 * Killed at any moment it leaves whole files only: each is written beside its place and moved in, obsolete ones go
 * first, the manifest comes last, and the next run clears up what was left.
 *
 * @param first What there is to do, where the caller has looked already.
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

/** Releases the lock after the work. Where the disk refuses that as well, the work's own error says more. */
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
  // A killed run's journal is still needed when this run fails as well.
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
  // A thousand files stand in three folders.
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

/** What a killed run staged; its journal stays until this run has one that includes it. */
function clearLeftOvers(folder: string, fileSystem: FileSystem): void {
  for (const name of fileSystem.readdirSync(runFolder(folder))) {
    if (name.startsWith('new-')) remove(join(runFolder(folder), name), fileSystem)
  }
}

/** Says which files are, or are about to be, the generator's: the manifest says so only at the end. */
function keepJournal(plan: WritePlan, folder: string, fileSystem: FileSystem): void {
  const files = new Set([
    ...readClaims(folder, fileSystem).listed,
    ...plan.changes.map((change) => change.path),
  ])
  makeFolder(dirname(journalPath(folder)), fileSystem)
  fileSystem.writeFileSync(`${journalPath(folder)}-next`, JSON.stringify({ files: [...files] }))
  fileSystem.renameSync(`${journalPath(folder)}-next`, journalPath(folder))
}

/** Fails before anything has changed where moving files into a folder, or removing them from it, would fail. */
function askForAccess(folder: string, kind: PlannedChange['kind'], fileSystem: FileSystem): void {
  if (kind !== 'removed') makeFolder(folder, fileSystem)
  fileSystem.accessSync(folder, constants.W_OK | constants.X_OK)
}

/** Removes folders that the last generated file has left, up to the output folder. */
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

/** Frees what was staged. */
function dropQuietly(path: string, fileSystem: FileSystem): void {
  quietly(() => remove(path, fileSystem))
}

/** Clears up while an error is on its way; when the machine refuses even that, that error says more. */
function quietly(clearUp: () => void): void {
  try {
    clearUp()
  } catch (error) {
    if (systemCode(error) === undefined) throw error
  }
}
