import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freshFolder, readmeFiles, writeInto } from '../package/packed.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const modules = fileURLToPath(new URL('./node_modules', import.meta.url))

/** A page of `docs/interop`: one example and its output. */
export interface InteropPage {
  /** Name of the page and of its example. */
  readonly name: string
  readonly code: string
  readonly prints: string
}

export function interopPage(name: string): InteropPage {
  const text = readFileSync(join(root, 'docs/interop', `${name}.md`), 'utf8')
  const code = readmeFiles(text)[`${name}.ts`]
  const prints = /^prints:?\n\n```text\n([\s\S]*?)```/m.exec(text)?.[1]
  if (code === undefined || prints === undefined) throw new Error(`docs/interop/${name}.md lacks its example`)
  return { name, code, prints }
}

/** The SDKs are not part of `npm ci`: `npm run interop` installs them. */
export const installed: boolean = existsSync(join(modules, '.package-lock.json'))

/** Command for Node 24, for packages that need a newer version than the oldest one that Callsheet supports. */
export const onNode24: readonly string[] = ['npx', '--yes', '-p', 'node@24', 'node']

/** Creates a project with the quickstart's Tool, the pages' examples and the SDKs. Needs a build in `dist/`. */
export function makeProject(pages: readonly InteropPage[]): string {
  const folder = freshFolder({})
  mkdirSync(join(folder, 'node_modules'))
  const packages = readdirSync(modules).filter((name) => !name.startsWith('.'))
  for (const name of packages) symlinkSync(join(modules, name), join(folder, 'node_modules', name), 'dir')
  symlinkSync(root, join(folder, 'node_modules/callsheet'), 'dir')
  symlinkSync(join(root, 'node_modules/typebox'), join(folder, 'node_modules/typebox'), 'dir')
  const quickstart = readmeFiles(readFileSync(join(root, 'docs/quickstart.md'), 'utf8'))
  const used = ['definitions/weather.ts', 'activities.ts'].map((name) => [name, quickstart[name] ?? ''])
  writeInto(folder, {
    ...Object.fromEntries(used),
    ...Object.fromEntries(pages.map(({ name, code }) => [`${name}.ts`, code])),
    'package.json': '{ "private": true, "type": "module" }',
    // The compiler options of the quickstart, as a reader has them.
    'tsconfig.json': quickstart['tsconfig.json'] ?? '',
  })
  execFileSync(process.execPath, [join(root, 'dist/cli.js'), 'generate', '--silent'], { cwd: folder })
  return folder
}
