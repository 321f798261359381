import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** An empty folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'callsheet-test-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Writes files, given as path -> text. */
export function fill(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** Every file below a folder, links left out, as path -> text; an empty folder as `path/` -> ''. */
export function contents(folder: string, under = ''): Record<string, string> {
  const found: Record<string, string> = {}
  for (const entry of readdirSync(join(folder, under), { withFileTypes: true })) {
    const path = under === '' ? entry.name : `${under}/${entry.name}`
    if (entry.isSymbolicLink()) continue
    if (!entry.isDirectory()) found[path] = readFileSync(join(folder, path), 'utf8')
    else
      Object.assign(
        found,
        readdirSync(join(folder, path)).length === 0 ? { [`${path}/`]: '' } : contents(folder, path),
      )
  }
  return found
}

/** The modification times of files and their folders: what a run that changes nothing leaves alone. */
export function times(folder: string): Record<string, number> {
  const found: Record<string, number> = { '': statSync(folder).mtimeMs }
  for (const path of Object.keys(contents(folder))) {
    found[path] = statSync(join(folder, path)).mtimeMs
    found[dirname(path)] = statSync(join(folder, dirname(path))).mtimeMs
  }
  return found
}
