import { realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { readIfPresent, realFileSystem, systemCode } from '../write/file-system.ts'

const clocks = '(?:Date|performance|crypto|navigator|Intl|Temporal)'
const handedOn = '(?:[=([{,:?>|&]|\\b(?:return|new|extends|default))'

/** Signs that a module's exports depend on more than its text and its imports. */
const impure = new RegExp(
  [
    String.raw`\b${clocks}\s*(?:\?\.|[.([])`,
    String.raw`${handedOn}\s*${clocks}\b`,
    String.raw`\bMath\b(?!\s*\.(?!\s*random\b))`,
    String.raw`\b(?:process|globalThis|require|localeCompare)\b|\btoLocale[A-Z]|\bimport\.meta\b|\b(?:import|fetch)\s*\(`,
  ].join('|'),
)

/** Whether none of these files reads the environment, the clock or other files while it runs. */
export function arePure(files: readonly string[]): boolean {
  return files.every((file) => {
    if (!/\.[cm]?[jt]sx?$/.test(file)) return true
    return !impure.test(readIfPresent(file, realFileSystem) ?? '')
  })
}

/** Packages whose exports depend only on their own code. Any other package may read anything. */
const purePackages = ['typebox', '@sinclair/typebox']

/**
 * Returns the files that identify the installed packages which definitions import; undefined if the exports of one can
 * change without an installation, or that is unknown.
 */
export function packageFiles(specifiers: readonly string[], root: string): string[] | undefined {
  const files: string[] = []
  for (const specifier of specifiers) {
    const name = specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/')
    if (name === 'callsheet') continue // part of the generator's own identity
    if (!purePackages.includes(name)) return undefined
    const file = installedPackage(name, root)
    if (file === undefined || !file.includes(`${sep}node_modules${sep}`)) return undefined
    files.push(file)
  }
  return files
}

function installedPackage(name: string, root: string): string | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    try {
      return realpathSync(join(folder, 'node_modules', name, 'package.json'))
    } catch (error) {
      if (systemCode(error) !== 'ENOENT' && systemCode(error) !== 'ENOTDIR') throw error
    }
    if (folder === dirname(folder)) return undefined
  }
}
