import { existsSync } from 'node:fs'
import { basename, join, posix } from 'node:path'
import { isJsonObject, type JsonObject, own } from '../../runtime/json/json.ts'
import { withoutMark } from '../../runtime/json/without-mark.ts'
import { configNames } from '../config/find-config.ts'
import { GeneratorError } from '../generator-error.ts'
import { findFiles } from '../load/find-files.ts'
import { readIfPresent, realFileSystem } from '../write/file-system.ts'
import { replaceFile } from '../write/replace-file.ts'
import { sameText } from '../write/same-text.ts'
import { writeNewFiles } from '../write/write-new-files.ts'
import { addToPackage } from './add-to-package.ts'
import { monorepo } from './monorepo.ts'
import { type PackageManager, packageManagerOf } from './package-manager.ts'
import { withPnpmWorkspace } from './pnpm-workspace.ts'
import type { ProjectFiles } from './project-files.ts'
import { singlePackage } from './single-package.ts'
import { withCommands } from './with-commands.ts'
import { withOwnScripts } from './with-own-scripts.ts'
import { withYarnLinker } from './yarn-linker.ts'

/** What to set up, and where. */
export interface InitOptions {
  /** Absolute path of the project folder. */
  readonly folder: string
  readonly kind: 'single' | 'monorepo'
  /** The installed version of Callsheet. */
  readonly version: string
  /** How the package manager that started this process describes itself, from `npm_config_user_agent`. */
  readonly startedBy?: string | undefined
}

/** The result of setting up. Paths are relative to the folder. */
export interface InitResult {
  readonly written: readonly string[]
  /** Existing files to which missing parts were added. */
  readonly extended: readonly string[]
  /** Existing files with other content, which were not changed. */
  readonly kept: readonly string[]
  readonly next: readonly string[]
  /** Steps for a GitHub workflow. */
  readonly ci: string
}

/**
 * Sets a project up. Never overwrites existing content; a second run changes nothing.
 *
 * @throws GeneratorError `cannot_read`, `cannot_write`; `invalid_config` for a package.json that cannot be extended.
 */
export function init({ folder, kind, version, startedBy }: InitOptions): InitResult {
  const present = presentPackage(folder)
  const forNpm = (kind === 'single' ? singlePackage : monorepo)({
    name: packageName(folder),
    version: `^${version}`,
    withExample: wantsExample(folder, kind),
    // New packages use ES modules; an existing one without `type` is CommonJS.
    isModule: present === undefined || own(present, 'type') === 'module',
    hasCompilerOptions: existsSync(join(folder, 'tsconfig.json')),
  })
  const advice = kind === 'single' ? commonJsAdvice(folder, present) : []
  const manager = packageManagerOf(folder, present, startedBy)
  const project = withCommands(withSettings[manager](withOwnScripts(forNpm, present), folder), manager)
  const packages = packageTexts(project, folder)
  const there = project.files.flatMap((file) => {
    const at = presentAs(folder, file.path)
    return at === undefined ? [] : [{ file, at }]
  })
  const files = [
    ...project.files.filter((file) => !there.some((each) => each.file === file)),
    ...packages.flatMap(({ path, before, after }) =>
      before === undefined && after !== undefined ? [{ path, text: after }] : [],
    ),
  ]
  const kept = there.filter(
    ({ file, at }) => !sameText(readIfPresent(join(folder, at), realFileSystem) ?? '', file.text),
  )
  const { written } = writeNewFiles(files, { absolute: folder, shown: '.' }, false, realFileSystem)
  const extended: string[] = []
  for (const { path, before, after } of packages) {
    if (before === undefined || after === undefined) continue
    replaceFile(join(folder, path), before, after, realFileSystem)
    extended.push(path)
  }
  return {
    written,
    extended,
    kept: kept.map(({ at }) => at),
    next: [...advice, ...project.next],
    ci: project.ci,
  }
}

/** What `npm init` and `tsc --init` write contradict each other: nothing that imports would compile. */
function commonJsAdvice(folder: string, present: JsonObject | undefined): string[] {
  if (present === undefined || own(present, 'type') === 'module') return []
  const options = readIfPresent(join(folder, 'tsconfig.json'), realFileSystem) ?? ''
  if (!/^[^/\n]*"verbatimModuleSyntax"\s*:\s*true/m.test(options)) return []
  return [
    'npm pkg set type=module, or remove "verbatimModuleSyntax" of tsconfig.json: it forbids `import` in a CommonJS package',
  ]
}

/** What a package manager needs in files of its own. */
const withSettings: Readonly<
  Record<PackageManager, (project: ProjectFiles, folder: string) => ProjectFiles>
> = {
  npm: (project) => project,
  pnpm: withPnpmWorkspace,
  yarn: withYarnLinker,
  bun: (project) => project,
}

/** True where nothing is declared yet, and nothing says that definitions are elsewhere. */
function wantsExample(folder: string, kind: InitOptions['kind']): boolean {
  const contract = kind === 'single' ? '.' : 'packages/contract'
  const definitions = posix.join(contract, 'definitions')
  // An example that an earlier run wrote counts too.
  if (existsSync(join(folder, definitions, 'weather.ts'))) return true
  const isConfigured = presentAs(folder, posix.join(contract, 'callsheet.config.ts')) !== undefined
  return !isConfigured && findFiles(folder, [definitions]).files.length === 0
}

/** Returns the path of an existing file. A configuration with any of its names counts, since two are an error. */
function presentAs(folder: string, path: string): string | undefined {
  const names = configNames.includes(posix.basename(path)) ? configNames : [posix.basename(path)]
  return names.map((name) => posix.join(posix.dirname(path), name)).find((at) => existsSync(join(folder, at)))
}

interface PackageText {
  readonly path: string
  readonly before: string | undefined
  /** undefined if nothing is missing. */
  readonly after: string | undefined
}

function packageTexts({ packages }: ProjectFiles, folder: string): PackageText[] {
  return Object.entries(packages).map(([path, wanted]) => {
    const before = readIfPresent(join(folder, path), realFileSystem)
    return { path, before, after: parsing(path, () => addToPackage(before, wanted)) }
  })
}

/** Reads the folder's package.json; undefined if there is none. */
function presentPackage(folder: string): JsonObject | undefined {
  const text = readIfPresent(join(folder, 'package.json'), realFileSystem)
  if (text === undefined) return undefined
  const present = parsing('package.json', (): unknown => JSON.parse(withoutMark(text)))
  return isJsonObject(present) ? present : {}
}

function parsing<Parsed>(path: string, parse: () => Parsed): Parsed {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const fault = {
      message: `${path} cannot be used: ${error.message}.`,
      fix: 'Correct it, and run init again.',
    }
    throw new GeneratorError('invalid_config', [fault], error)
  }
}

/** Derives a valid npm name from the folder's name. */
function packageName(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return name === '' || name === 'callsheet' || name === 'node-modules' ? 'my-tools' : name
}
