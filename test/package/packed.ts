import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

let tarball: string | undefined

/** Packs the package as `npm publish` would; once per test run. Expects `dist/` to be built. */
export function pack(): string {
  if (tarball) return tarball
  const folder = mkdtempSync(join(tmpdir(), 'callsheet-pack-'))
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: root })
  const [file = ''] = readdirSync(folder)
  tarball = join(folder, file)
  return tarball
}

/** A fresh folder outside the project, as a user's own. */
export function freshFolder(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'callsheet-user-'))
  writeInto(folder, files)
  return folder
}

export function writeInto(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command in a folder with an environment that knows nothing of this project. */
export function run(folder: string, command: string, ...args: readonly string[]): Ran {
  const { NODE_OPTIONS, VITEST, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...env, NO_COLOR: '1', npm_config_update_notifier: 'false' },
  })
  return { code: status, stdout, stderr }
}

/** The code blocks of the README under a heading, by the file name that stands in their first line as a comment. */
export function readmeFiles(readme: string): Record<string, string> {
  const blocks = readme.matchAll(/^```(?:ts|json)\n\/\/ (\S+)\n([\s\S]*?)^```$/gm)
  return Object.fromEntries([...blocks].map(([, name = '', text = '']) => [name, text]))
}
