import { readFileSync } from 'node:fs'
import { GeneratorError } from '../generator-error.ts'

/**
 * Reads a text file that a user names; see {@link decodeText}.
 *
 * @throws What the file system throws; GeneratorError `invalid_usage` for another encoding.
 */
export function readText(path: string): string {
  return decodeText(readFileSync(path), path)
}

/**
 * The text of bytes: as UTF-8, or as the UTF-16 that `>` writes in the PowerShell which comes with Windows.
 *
 * @throws GeneratorError `invalid_usage` for another encoding: its letters would become replacement characters unsaid.
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
