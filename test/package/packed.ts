import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

let tarball: string | undefined

/** Packs the package like `npm publish`, once per test run. Needs a build in `dist/`. */
export function pack(): string {
  if (tarball) return tarball
  const folder = mkdtempSync(join(tmpdir(), 'callsheet-pack-'))
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: root })
  const [file = ''] = readdirSync(folder)
  tarball = join(folder, file)
  return tarball
}

/** Creates a new folder outside the project, like a user's project. */
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

/** Runs a command in a folder, without this project's environment variables. */
export function run(folder: string, command: string, ...args: readonly string[]): Ran {
  const { NODE_OPTIONS, VITEST, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...env, NO_COLOR: '1', npm_config_update_notifier: 'false' },
  })
  return { code: status, stdout, stderr }
}

/** Returns the code blocks of a page by the file name in their first line, a comment. */
export function readmeFiles(readme: string): Record<string, string> {
  const blocks = readme.matchAll(/^```(?:ts|json)\n\/\/ (\S+)\n([\s\S]*?)^```$/gm)
  return Object.fromEntries([...blocks].map(([, name = '', text = '']) => [name, text]))
}
