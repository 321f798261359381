import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What a build reads, as far as it is there. The list of the installed packages stands for what is bundled of them. */
const sources = [
  'runtime',
  'codegen',
  'build',
  'build.mjs',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
  'node_modules/.package-lock.json',
]
const record = 'node_modules/.cache/callsheet/build'

/** True if a build would write what is in `dist/` already: most steps of CI build first, and nearly all find nothing to do. */
export function isBuilt() {
  return existsSync(record) && existsSync('dist') && readFileSync(record, 'utf8') === fingerprint()
}

/** Remembers that `dist/` was built from the sources as they are. */
export function rememberBuild() {
  mkdirSync(dirname(record), { recursive: true })
  writeFileSync(record, fingerprint())
}

function fingerprint() {
  const hash = createHash('sha256')
  for (const path of [...sources, 'dist'].flatMap(filesIn)) {
    const content = readFileSync(path)
    hash.update(`${path} ${statSync(path).mode} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

function filesIn(path) {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
