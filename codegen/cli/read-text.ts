import { readFileSync } from 'node:fs'
import { GeneratorError } from '../generator-error.ts'

/**
 * Reads a text file that a user names; see {@link decodeText}.
 *
 * @throws Errors of the file system; GeneratorError `invalid_usage` for another encoding.
 */
export function readText(path: string): string {
  return decodeText(readFileSync(path), path)
}

/**
 * Decodes bytes as UTF-8, or as the UTF-16 that `>` writes in Windows PowerShell.
 *
 * @throws GeneratorError `invalid_usage` for another encoding, whose letters would silently become replacement characters.
 */
export function decodeText(bytes: Uint8Array, name: string): string {
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe
  try {
    return new TextDecoder(isWide ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new GeneratorError(
      'invalid_usage',
      [{ message: `Cannot read ${name}: it is not UTF-8.`, fix: 'Save it as UTF-8.' }],
      error,
    )
  }
}
