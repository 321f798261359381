import { lstat, open, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Decision } from '../../../runtime/agent/approvals/approval.ts'
import { byCodeUnit, isJsonObject } from '../../../runtime/json/json.ts'
import { withoutMark } from '../../../runtime/json/without-mark.ts'
import { messageOf } from '../../../runtime/problems/message-of.ts'
import { systemCode } from '../../write/file-system.ts'
import type { RunLine } from '../wire/runs.ts'
import { eventsOf } from './events-of.ts'
import { RecordedRun } from './recorded-run.ts'

/** The largest file that is read. */
const mostBytes = 268_435_456
/** The most bytes that are read of all files, newest first: what they say is kept in memory. */
const mostBytesInAll = 536_870_912
/** The most files that are listed, newest first. */
const mostFiles = 2_000

/** Length of a file's start that is compared to detect a rewrite: the first line has the run's id and start time. */
const headBytes = 512

/** A file of the folder. */
interface FoundFile {
  readonly path: string
  readonly size: number
  readonly modified: number
  /** Why it is not read. */
  readonly unread?: string | undefined
}

/** A file of the folder, with the read position. */
interface ReadFile extends FoundFile {
  readonly record: RecordedRun
  /** Number of processed bytes; excludes an incomplete last line. */
  readonly taken: number
  readonly head: Buffer
  readonly problem?: string
}

/** A folder of recorded runs. Growing files are read incrementally. */
export class RunFolder {
  readonly path: string
  readonly #most: number
  readonly #files = new Map<string, ReadFile>()
  /** The last scan of the folder. Scans run one after the other: concurrent ones would both read the same additions. */
  #looking: Promise<unknown> = Promise.resolve()
  /** The last write of decisions, which follow one another. */
  #deciding: Promise<unknown> = Promise.resolve()

  constructor(path: string, most: number = mostBytesInAll) {
    this.path = path
    this.#most = most
  }

  /** Lists the runs, newest first. Files that are no runs are left out. */
  list(): Promise<RunLine[]> {
    const look = (): Promise<RunLine[]> => this.#look()
    const lines = this.#looking.then(look, look)
    this.#looking = lines
    return lines
  }

  async #look(): Promise<RunLine[]> {
    const found = await this.#find()
    for (const id of this.#files.keys()) if (!found.has(id)) this.#files.delete(id)
    for (const [id, file] of found) {
      const known = this.#files.get(id)
      const isSame = known?.size === file.size && known.modified === file.modified
      if (isSame && known.unread === file.unread) continue
      this.#files.set(id, await readRun(file, known))
    }
    const files = [...this.#files].filter(
      ([, { record, problem }]) => problem !== undefined || record.version > 0,
    )
    files.sort(([left, { modified: a }], [right, { modified: b }]) => b - a || byCodeUnit(left, right))
    return files.map(([id, { record, problem }]) =>
      problem === undefined
        ? { id, ...record.line }
        : { id, status: 'unreadable', requests: 0, calls: 0, tokens: 0, problem },
    )
  }

  /** Returns a run by its id. Only listed files are ever read. */
  record(id: string): RecordedRun | undefined {
    return this.#files.get(id)?.record
  }

  /**
   * Adds decisions to those next to the run that waits for them; a later one about the same Approval replaces an earlier one.
   *
   * @returns The file, relative to the folder.
   */
  decide(id: string, decisions: readonly Decision[]): Promise<string> {
    const write = (): Promise<string> => this.#writeDecisions(id, decisions)
    const written = this.#deciding.then(write, write)
    this.#deciding = written
    return written
  }

  async #writeDecisions(id: string, decisions: readonly Decision[]): Promise<string> {
    const file = this.#decisionsFile(id)
    const made = new Set(decisions.map(({ approval }) => approval))
    const others = (await this.decisions(id)).filter(({ approval }) => !made.has(approval))
    const path = join(this.path, file)
    // Whoever reads the file meanwhile finds the earlier one whole. A link at its place is replaced, not followed.
    const begun = `${path}.${globalThis.crypto.randomUUID()}.tmp`
    await writeFile(begun, `${JSON.stringify([...others, ...decisions], null, 2)}\n`, { flag: 'wx' })
    await rename(begun, path)
    return file
  }

  /** Reads the decisions about what a run waits for now; those about what it waited for before are left out. */
  async decisions(id: string): Promise<readonly Decision[]> {
    const approvals = this.record(id)?.approvals ?? []
    const isCurrent = ({ approval, hash }: Decision): boolean =>
      approvals.some((each) => each.id === approval && each.hash === hash)
    try {
      const data: unknown = JSON.parse(await readFile(join(this.path, this.#decisionsFile(id)), 'utf8'))
      if (!Array.isArray(data)) return []
      return data.filter((each): each is Decision => isJsonObject(each)).filter(isCurrent)
    } catch (error) {
      if (systemCode(error) === 'ENOENT' || error instanceof SyntaxError) return []
      throw error
    }
  }

  #decisionsFile(id: string): string {
    if (!this.#files.has(id)) throw new Error(`There is no run ${id}.`)
    // Beside `name.jsonl`, the decisions about `name.json` need another name.
    const name = this.#files.has(`${id}l`) ? id : id.replace(/\.jsonl?$/, '')
    return `${name}.decisions.json`
  }

  async #find(): Promise<Map<string, FoundFile>> {
    const entries = await readdir(this.path, { recursive: true, withFileTypes: true })
    const files = await Promise.all(
      entries
        // Links are not followed, since they may lead outside of the folder.
        .filter((entry) => entry.isFile() && /(?<!\.decisions)\.jsonl?$/.test(entry.name))
        .map(async (entry) => {
          const path = join(entry.parentPath, entry.name)
          // A file may be gone since the folder was read.
          const found = await lstat(path).catch(() => undefined)
          if (!found) return []
          const { size, mtimeMs } = found
          return [{ id: relative(this.path, path).split(sep).join('/'), path, size, modified: mtimeMs }]
        }),
    )
    const present = files.flat()
    present.sort((left, right) => right.modified - left.modified)
    let bytes = 0
    return new Map(
      present.slice(0, mostFiles).map(({ id, ...file }) => {
        if (file.size > mostBytes) return [id, { ...file, unread: `It is larger than ${mostBytes} bytes.` }]
        bytes += file.size
        return [id, { ...file, ...(bytes > this.#most && { unread: this.#tooMuch }) }]
      }),
    )
  }

  get #tooMuch(): string {
    return `Of all runs, the newest ${this.#most} bytes are read. Move newer ones to another folder to see it.`
  }
}

async function readRun(file: FoundFile, known: ReadFile | undefined): Promise<ReadFile> {
  const { path, unread } = file
  const none = { ...file, record: new RecordedRun(), taken: 0, head: Buffer.alloc(0) }
  if (unread !== undefined) return { ...none, problem: unread }
  try {
    if (path.endsWith('.jsonl')) return await readLines(none, known)
    const events = eventsOf(JSON.parse(withoutMark(await readFile(path, 'utf8'))))
    for (const event of events ?? []) none.record.add(event)
    return none
  } catch (error) {
    return { ...none, problem: `It cannot be read as a run: ${reasonOf(error)}.` }
  }
}

function reasonOf(error: unknown): string {
  const isKnown = error instanceof SyntaxError || systemCode(error) !== undefined
  return isKnown ? messageOf(error) : 'a part of it has another form than a run has'
}

/** Reads the additions to a file. A file that shrank, or has another start, is read from the beginning. */
async function readLines(file: ReadFile, known: ReadFile | undefined): Promise<ReadFile> {
  const handle = await open(file.path)
  const read = async (from: number, to: number): Promise<Buffer> => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(to - from), 0, to - from, from)
    return buffer.subarray(0, bytesRead)
  }
  let text: Buffer
  let head: Buffer
  let before: ReadFile | undefined
  try {
    head = await read(0, Math.min(file.size, headBytes))
    const isSame = known && known.problem === undefined && known.taken <= file.size
    before = isSame && head.indexOf(known.head) === 0 ? known : undefined
    text = await read(before?.taken ?? 0, file.size)
  } finally {
    await handle.close()
  }
  const { record, taken } = before ?? file
  const end = text.lastIndexOf('\n') + 1
  for (const line of text.subarray(0, end).toString('utf8').split('\n')) {
    if (line.trim() === '') continue
    const event = eventIn(line)
    // Other lines of JSON are ignored.
    if (event) record.add(event)
  }
  return { ...file, record, taken: taken + end, head }
}

function eventIn(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line)
    return isJsonObject(value) && typeof value.event === 'string' ? value : undefined
  } catch {
    // Ignore a truncated line, for example of a killed process; other lines are still read.
    return undefined
  }
}
