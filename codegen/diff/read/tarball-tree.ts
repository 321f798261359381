import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { byCodeUnit } from '../../../runtime/json/json.ts'
import { GeneratorError } from '../../generator-error.ts'
import type { FileTree } from './file-tree.ts'

/** The largest unpacked size of a package. */
const mostBytes = 256 * 1024 * 1024
const block = 512

/**
 * Reads the files of a packed package (`npm pack`) into memory. Writes nothing, so a path that leaves the package is
 * harmless. Skips links and devices.
 *
 * @throws GeneratorError `cannot_read` if the file is not a tarball.
 */
export function tarballTree(path: string, name: string): FileTree {
  const files = filesOf(unpacked(path, name), name)
  return {
    name,
    paths: [...files.keys()].sort(byCodeUnit),
    read: async (paths) =>
      new Map(
        paths.flatMap((each) => (files.has(each) ? [[each, files.get(each)?.toString('utf8') ?? '']] : [])),
      ),
  }
}

function unpacked(path: string, name: string): Buffer {
  const bytes = readFileSync(path)
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: mostBytes })
  } catch (error) {
    throw notTarball(name, error instanceof Error ? error.message : String(error))
  }
}

function filesOf(bytes: Buffer, name: string): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  let longName: string | undefined
  for (let at = 0; at + block <= bytes.length; ) {
    const header = bytes.subarray(at, at + block)
    if (header.every((byte) => byte === 0)) break
    if (!hasRightSum(header)) throw notTarball(name, `the header at byte ${at} is damaged`)
    const size = octal(header, 124, 12)
    const content = bytes.subarray(at + block, at + block + size)
    if (content.length < size) throw notTarball(name, 'it ends in the middle of a file')
    const type = String.fromCharCode(header[156] ?? 0)
    if (type === 'x') longName = paxPath(content) ?? longName
    else if (type === 'L') longName = text(content, 0, size)
    else {
      if (type === '0' || type === '\0') files.set(insidePackage(longName ?? headerPath(header)), content)
      longName = undefined
    }
    at += block + Math.ceil(size / block) * block
  }
  if (files.size === 0) throw notTarball(name, 'it holds no file')
  return files
}

/** Removes the top folder that npm adds, usually `package/`. */
function insidePackage(path: string): string {
  return path.replace(/^\.\//, '').replace(/^[^/]+\//, '')
}

function headerPath(header: Buffer): string {
  const prefix = text(header, 257, 5) === 'ustar' ? text(header, 345, 155) : ''
  const path = text(header, 0, 100)
  return prefix === '' ? path : `${prefix}/${path}`
}

/** Reads the path from a pax header, which has lines of `length key=value`. */
function paxPath(content: Buffer): string | undefined {
  return /^\d+ path=(.*)$/m.exec(content.toString('utf8'))?.[1]
}

function hasRightSum(header: Buffer): boolean {
  const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0)
  return sum === octal(header, 148, 8)
}

function octal(header: Buffer, from: number, length: number): number {
  const value = Number.parseInt(text(header, from, length).trim() || '0', 8)
  return Number.isSafeInteger(value) ? value : 0
}

function text(bytes: Buffer, from: number, length: number): string {
  const part = bytes.subarray(from, from + length)
  const end = part.indexOf(0)
  return part.toString('utf8', 0, end < 0 ? part.length : end)
}

function notTarball(name: string, why: string): GeneratorError {
  return new GeneratorError('cannot_read', [
    { message: `${name} is not a tarball that can be read: ${why}.`, fix: 'Pass what `npm pack` wrote.' },
  ])
}
