import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { byCodeUnit } from '../../../runtime/json/json.ts'
import { GeneratorError } from '../../generator-error.ts'
import type { FileTree } from './file-tree.ts'

const run = promisify(execFile)
/** The most output of git: enough for the file list of a large repository, or the generated code of some thousand Tools. */
const mostBytes = 512 * 1024 * 1024

/** The files of a commit below the project folder. Read from git's objects, without a checkout. */
export interface GitTree extends FileTree {
  readonly commit: string
}

/**
 * Finds a commit by its name.
 *
 * @returns undefined if the folder is in no repository, or the repository has no such commit.
 */
export async function findCommit(folder: string, ref: string): Promise<string | undefined> {
  // `--end-of-options` keeps git from reading a name as an option.
  const found = await git(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`])
  return found?.trim() || undefined
}

/**
 * @param most The most bytes of one read.
 * @throws GeneratorError `cannot_read` if git cannot list or read the commit, or the result is too large.
 */
export async function gitTree(
  folder: string,
  ref: string,
  commit: string,
  most: number = mostBytes,
): Promise<GitTree> {
  const listed = await git(folder, ['ls-tree', '-r', '-z', '--long', commit])
  if (listed === undefined) throw unreadable(ref)
  // Paths are relative to the folder in which git runs. Modes distinguish files from links and submodules.
  const files = new Map<string, Listed>()
  for (const line of listed.split('\0')) {
    const [, mode = '', object = '', bytes, path = ''] =
      /^(\d+) \w+ ([0-9a-f]+) +(\S+)\t(.*)$/s.exec(line) ?? []
    if (mode.startsWith('100')) files.set(path, { path, object, bytes: Number(bytes) || 0 })
  }
  return {
    name: ref,
    commit,
    paths: [...files.keys()].sort(byCodeUnit),
    async read(paths) {
      const wanted = paths.flatMap((path) => files.get(path) ?? [])
      if (wanted.reduce((sum, { bytes }) => sum + bytes, 0) > most) throw tooLarge(ref, wanted, most)
      const texts = await readObjects(
        folder,
        ref,
        wanted.map(({ object }) => object),
      )
      return new Map(wanted.map(({ path }, index) => [path, texts[index] ?? '']))
    },
  }
}

interface Listed {
  readonly path: string
  readonly object: string
  readonly bytes: number
}

/** Reads any number of objects with one process. */
async function readObjects(folder: string, ref: string, objects: readonly string[]): Promise<string[]> {
  if (objects.length === 0) return []
  const output = await new Promise<Buffer>((resolve, reject) => {
    const child = spawn('git', ['cat-file', '--batch'], { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve(Buffer.concat(chunks)) : reject(unreadable(ref))))
    child.stdin.on('error', reject)
    child.stdin.end(`${objects.join('\n')}\n`)
  })
  const texts: string[] = []
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(10, at)
    const size = Number(/ blob (\d+)$/.exec(output.toString('utf8', at, end))?.[1] ?? Number.NaN)
    if (Number.isNaN(size)) throw unreadable(ref)
    texts.push(output.toString('utf8', end + 1, end + 1 + size))
    at = end + 1 + size + 1
  }
  return texts
}

/** Runs git and returns its output; undefined if it fails or is not installed. */
async function git(folder: string, args: readonly string[]): Promise<string | undefined> {
  try {
    const { stdout } = await run('git', [...args], { cwd: folder, maxBuffer: mostBytes, encoding: 'utf8' })
    return stdout
  } catch (error) {
    // The state cannot be read. The caller reports that, with the requested name.
    if (error instanceof Error) return undefined
    throw error
  }
}

function tooLarge(ref: string, wanted: readonly Listed[], most: number): GeneratorError {
  const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MB`
  const largest = wanted.reduce((before, file) => (file.bytes > before.bytes ? file : before))
  return new GeneratorError('cannot_read', [
    {
      message: `What there is to read of ${ref} is over ${megabytes(most)}; the largest file is ${JSON.stringify(largest.path)} (${megabytes(largest.bytes)}).`,
      fix: 'Commit the generated code, so that only it is read, or compare with a folder or a tarball.',
    },
  ])
}

function unreadable(ref: string): GeneratorError {
  return new GeneratorError('cannot_read', [
    {
      message: `Git cannot read ${ref} whole.`,
      fix: 'In CI, fetch it first: actions/checkout with fetch-depth: 0, or git fetch origin main.',
    },
  ])
}
