import { readFileSync } from 'node:fs'

/** Reads a text file that a user names: as UTF-8, or as the UTF-16 that `>` writes in the PowerShell which comes with Windows. */
export function readText(path: string): string {
  const bytes = readFileSync(path)
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe
  return new TextDecoder(isWide ? 'utf-16le' : 'utf-8').decode(bytes)
}
