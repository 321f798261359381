import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { project } from '../cli/in-terminal.ts'
import { fill } from '../write/temporary-folder.ts'

/** What git needs to start; on Windows programs load nothing without the second. */
const { PATH, SystemRoot } = process.env

/** Runs git, whatever the machine's own settings say. */
export function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', [...identity, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH, SystemRoot, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

const identity = [
  '-c',
  'user.name=Test',
  '-c',
  'user.email=test@example.invalid',
  '-c',
  'commit.gpgsign=false',
]

/** Commits everything that is there. */
export function commitAll(folder: string): void {
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'state')
}

/** A project in a repository of its own, with its files committed. */
export function repository(files: Readonly<Record<string, string>>): string {
  const folder = project({ '.gitignore': 'node_modules\n', ...files })
  git(folder, 'init', '--quiet', '--initial-branch', 'main')
  commitAll(folder)
  return folder
}

/** The source of definitions: each Tool by its parameters, output and options, as TypeBox says them. */
export function definitions(
  tools: Readonly<Record<string, { parameters: string; output?: string; options?: string }>>,
): string {
  const declared = Object.entries(tools).map(
    ([name, { parameters, output = 'Type.String()', options = "description: 'Made for a test.'" }]) =>
      `export const ${name} = Type.Object({
  _tool: Type.Literal('${name}'),
  ${parameters}
  _output: ${output},
}, { ${options} })
`,
  )
  return `import { Type } from 'typebox'\n\n${declared.join('\n')}`
}

/** Puts a folder into a tarball, as `npm pack` does; returns its path. */
export function pack(folder: string, files: Readonly<Record<string, string>>): string {
  fill(
    join(folder, 'packed'),
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`package/${path}`, text])),
  )
  execFileSync('tar', ['-czf', 'contract-1.0.0.tgz', '-C', 'packed', 'package'], { cwd: folder })
  return join(folder, 'contract-1.0.0.tgz')
}
