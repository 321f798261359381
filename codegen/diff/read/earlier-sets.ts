import { existsSync, statSync } from 'node:fs'
import { basename, isAbsolute, resolve } from 'node:path'
import { findConfig } from '../../config/find-config.ts'
import { findingText } from '../../findings/finding-text.ts'
import { hasError } from '../../findings/has-error.ts'
import { GeneratorError } from '../../generator-error.ts'
import { isInside } from '../../paths/is-inside.ts'
import { realFileSystem } from '../../write/file-system.ts'
import type { ContractSet } from '../contract.ts'
import { definitionSets } from './definition-sets.ts'
import type { FileTree } from './file-tree.ts'
import { folderTree } from './folder-tree.ts'
import { generatedSets } from './generated-contract.ts'
import { findCommit, gitTree } from './git-tree.ts'
import { withFiles } from './materialise.ts'
import { tarballTree } from './tarball-tree.ts'

/** An earlier state of the contract. */
export interface EarlierSets {
  /** The name that the user gave: `origin/main`. */
  readonly name: string
  /** The source of the state. */
  readonly from: 'generated' | 'definitions'
  readonly sets: readonly ContractSet[]
}

/**
 * Reads an earlier state of the contract: a commit by any name that git knows, a folder, or a tarball of `npm pack`. A name
 * that looks like a path (`./old`, `old.tgz`) is read as one; any other is tried as a git ref first. Existing generated code is
 * read without running it; otherwise definitions are run, except those of a tarball.
 *
 * @param root Absolute path of the project folder.
 * @throws GeneratorError `invalid_usage` if there is no such state, `cannot_read` if it contains no contract.
 */
export async function earlierSets(root: string, cwd: string, against: string): Promise<EarlierSets> {
  const path = resolve(cwd, against)
  const looksLikePath = isAbsolute(against) || /^\.{1,2}(?:[\\/]|$)|\.(?:tgz|tar|tar\.gz)$/.test(against)
  const commit = looksLikePath ? undefined : await findCommit(root, against)
  if (commit !== undefined) {
    const tree = await gitTree(root, against, commit)
    return fromTree(tree, (name) => withFiles(tree, root, (folder) => fromDefinitions(folder, name, root)))
  }
  if (!existsSync(path)) throw noSuchState(against, path, looksLikePath)
  // `.` or `..` would read badly in messages.
  const name = /^\.{1,2}\/?$/.test(against) ? basename(path) : against
  if (statSync(path).isDirectory())
    return fromTree(folderTree(path, name), () => fromDefinitions(path, name, root))
  return fromTree(tarballTree(path, against), async () => {
    throw holdsNothing(
      name,
      'The package has to publish its generated code; the code of a tarball is never run.',
    )
  })
}

async function fromTree(
  tree: FileTree,
  otherwise: (name: string) => Promise<readonly ContractSet[]>,
): Promise<EarlierSets> {
  const sets = await generatedSets(tree)
  if (sets.length > 0) return { name: tree.name, from: 'generated', sets }
  return { name: tree.name, from: 'definitions', sets: await otherwise(tree.name) }
}

async function fromDefinitions(folder: string, name: string, root: string): Promise<readonly ContractSet[]> {
  // A folder without a package.json of its own would be taken for a part of the project, and that compared with itself.
  const found = findConfig(folder, undefined, realFileSystem).root
  const isTakenForProject = found !== folder && isInside(root, found)
  const { sets, findings } = await definitionSets({ cwd: folder, ...(isTakenForProject && { config: {} }) })
  if (!hasError(findings))
    return sets.map((set) => ({ ...set, tools: set.tools.map(({ locate: _, ...tool }) => tool) }))
  const errors = findings.filter(({ severity }) => severity === 'error')
  const shown = errors.slice(0, 3).map((finding) => findingText(finding).trimEnd())
  throw holdsNothing(
    name,
    `Its definitions are wrong (errors: ${errors.length}), and it has no generated code to read instead:\n${shown.join('\n')}`,
  )
}

function noSuchState(against: string, path: string, isPath: boolean): GeneratorError {
  const noFile = `there is no file or folder ${path}`
  const tried = isPath ? noFile : `git knows no commit of that name, and ${noFile}`
  return new GeneratorError('invalid_usage', [
    {
      message: `There is nothing to compare with at "${against}": ${tried}.`,
      fix: 'Pass a git ref (origin/main; in CI with fetch-depth: 0), a folder, or a tarball of npm pack.',
    },
  ])
}

function holdsNothing(name: string, fix: string): GeneratorError {
  return new GeneratorError('cannot_read', [{ message: `${name} holds no contract that can be read.`, fix }])
}
