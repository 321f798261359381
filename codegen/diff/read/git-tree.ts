import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { byCodeUnit } from '../../../runtime/json/json.ts'
import { GeneratorError } from '../../generator-error.ts'
import type { FileTree } from './file-tree.ts'

const run = promisify(execFile)
/** What git may print: the list of a large repository, or the generated code of a few thousand Tools. */
const mostBytes = 512 * 1024 * 1024

/** The files of a commit, below the project folder. Read from git's objects; nothing is checked out. */
export interface GitTree extends FileTree {
  readonly commit: string
}

/**
 * Finds a commit by its name.
 *
 * @returns undefined when the folder is in no repository or the name means no commit there.
 */
export async function findCommit(folder: string, ref: string): Promise<string | undefined> {
  // A name that looks like an option is none: git gets it behind a mark that ends the options.
  const found = await git(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`])
  return found?.trim() || undefined
}

/**
 * @param most Bytes that one reading may take.
 * @throws GeneratorError `cannot_read` when git cannot list or read the commit, or when that is too much to hold.
 */
export async function gitTree(
  folder: string,
  ref: string,
  commit: string,
  most: number = mostBytes,
): Promise<GitTree> {
  const listed = await git(folder, ['ls-tree', '-r', '-z', '--long', commit])
  if (listed === undefined) throw unreadable(ref)
  // Relative to the folder in which git runs; modes tell files from links and submodules.
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

/** Reads objects with one process, however many they are. */
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

/** What git prints; undefined when it fails, and so where there is no git. */
async function git(folder: string, args: readonly string[]): Promise<string | undefined> {
  try {
    const { stdout } = await run('git', [...args], { cwd: folder, maxBuffer: mostBytes, encoding: 'utf8' })
    return stdout
  } catch (error) {
    // This state cannot be read from here, for whatever reason; the caller reports it with what was asked for.
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
