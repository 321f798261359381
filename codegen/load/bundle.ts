import { realpathSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import type { BuildFailure, Loader, Message, Metafile, OutputFile, Plugin } from 'esbuild'
import { readIfPresent, realFileSystem, statIfPresent } from '../write/file-system.ts'
import { compilerOptions } from './compiler-options.ts'
import { withLinkedSources } from './linked-packages.ts'
import { loadEsbuild } from './load-esbuild.ts'
import { maskSource } from './mask-source.ts'
import { onResolved } from './on-resolved.ts'

/** Options of {@link bundle}. */
export interface BundleRequest {
  readonly root: string
  /** Entry files, relative to the root; the bundle exports `files`, one import function for each. */
  readonly files: readonly string[]
  /** Absolute paths of files that must not be read: importing one throws {@link brokenImport}. */
  readonly broken: ReadonlySet<string>
  /** Absolute paths of files of functions that need not run: importing one gives undefined. */
  readonly spared: ReadonlySet<string>
  /** Texts that replace the contents of files, by absolute path. */
  readonly rewritten: ReadonlyMap<string, string>
  /**
   * `external` leaves packages to Node; `linked` bundles linked packages in TypeScript and leaves the others to Node; `bundle`
   * bundles all of them, for a module that runs in a folder from which Node finds none.
   */
  readonly packages: 'external' | 'linked' | 'bundle'
}

/** One module with all files. Each file is evaluated only when its function in `files` is called. */
export interface Bundle {
  readonly code: string
  readonly sourceMap: string
  readonly inputs: Metafile['inputs']
}

/** The error that importing a broken file throws. The file's own problem has already been reported. */
export const brokenImport = 'callsheet: this file could not be read'

/** The `id` of esbuild's message about two file names that differ only in case. */
export const sameButForCase = 'different-path-case'

/** The name of the generated entry among the bundle's inputs. */
export const entryName = '<callsheet>'

/**
 * Bundles definition files into one module with esbuild. A schema that two files import stays one object, and a file that
 * throws does not affect the others.
 *
 * @returns The bundle, or esbuild's messages if a file does not parse or an import does not resolve, or resolves to a file whose
 * name differs in case.
 */
export async function bundle(request: BundleRequest): Promise<Bundle | readonly Message[]> {
  const first = await bundleWith(request, {})
  if (!Array.isArray(first) || !first.some((message) => isAboutBlankConfig(message, request.root)))
    return first
  // TypeScript reads an empty `tsconfig.json` as one without options; esbuild refuses it.
  const options = compilerOptions(join(request.root, 'tsconfig.json'), [])
  return bundleWith(request, { tsconfigRaw: JSON.stringify({ compilerOptions: options }) })
}

function isAboutBlankConfig({ location }: Message, root: string): boolean {
  if (!location?.file.endsWith('.json')) return false
  const text = readIfPresent(resolve(root, location.file), realFileSystem)
  return text !== undefined && maskSource(text, 'comments').trim() === ''
}

async function bundleWith(
  request: BundleRequest,
  config: { readonly tsconfigRaw?: string },
): Promise<Bundle | readonly Message[]> {
  const { build } = loadEsbuild(request.root)
  const { customConditions } = compilerOptions(join(request.root, 'tsconfig.json'), [])
  try {
    const { outputFiles, metafile, warnings } = await build({
      stdin: { contents: entry(request.files), resolveDir: request.root, sourcefile: entryName },
      absWorkingDir: request.root,
      bundle: true,
      write: false,
      outfile: 'definitions.mjs',
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      packages: request.packages === 'external' ? 'external' : 'bundle',
      // Conditions of the project replace esbuild's own `module`.
      ...(Array.isArray(customConditions) && { conditions: ['module', ...customConditions.filter(isText)] }),
      sourcemap: 'external',
      sourcesContent: false,
      metafile: true,
      logLevel: 'silent',
      ...config,
      // Only CommonJS code needs `require`. esbuild renames a definition's own variable of that name.
      banner: {
        js: "import { createRequire as createCallsheetRequire } from 'node:module'\nconst require = createCallsheetRequire(import.meta.url)",
      },
      plugins: [
        withStars,
        ...(request.broken.size > 0 ? [withoutBroken(request.broken)] : []),
        ...(request.spared.size > 0 ? [withoutFunctions(request.spared)] : []),
        ...(request.packages === 'linked' ? [withLinkedSources()] : []),
        ...(request.rewritten.size > 0 ? [withRewritten(request.rewritten)] : []),
      ],
    })
    const misnamed = misnamedImports(warnings)
    if (misnamed.length > 0) return misnamed
    return {
      code: textOf(outputFiles, '.mjs'),
      sourceMap: textOf(outputFiles, '.map'),
      inputs: metafile.inputs,
    }
  } catch (error) {
    if (isBuildFailure(error)) return [...misnamedImports(error.warnings), ...error.errors]
    throw error
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function entry(files: readonly string[]): string {
  const imports = files.map((file) => `() => import(${JSON.stringify(`./${file}`)})`)
  return `export const files = [\n${imports.join(',\n')}\n]\n`
}

/** Returns the definition file that a line of the generated entry imports. */
export function entryFileAt(line: number, files: readonly string[]): string | undefined {
  return files[line - 2]
}

function textOf(outputs: readonly OutputFile[], extension: string): string {
  return outputs.find(({ path }) => path.endsWith(extension))?.text ?? ''
}

/** esbuild treats file names that differ only in case as one file, and drops the other. */
function misnamedImports(warnings: readonly Message[]): Message[] {
  return warnings.filter(({ id }) => id === sameButForCase)
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && Array.isArray((error as Partial<BuildFailure>).errors)
}

/** Resolves relative paths with a `*`, which esbuild itself takes for a pattern. */
const withStars: Plugin = {
  name: 'callsheet-stars',
  setup(build) {
    build.onResolve({ filter: /^\.{1,2}\/.*\*/ }, ({ path, resolveDir }) => {
      const file = resolve(resolveDir, path)
      return statIfPresent(file)?.isFile() ? { path: realpathSync(file) } : undefined
    })
  },
}

/** Replaces each broken file by a module that throws, which identifies the files that import it. */
function withoutBroken(broken: ReadonlySet<string>): Plugin {
  return replacing('broken', broken, `throw new Error(${JSON.stringify(brokenImport)})`)
}

/** Replaces each file of functions by a module that exports nothing. */
function withoutFunctions(spared: ReadonlySet<string>): Plugin {
  return replacing('functions', spared, '')
}

function replacing(namespace: string, files: ReadonlySet<string>, code: string): Plugin {
  return {
    name: `callsheet-${namespace}`,
    setup(build) {
      onResolved(build, /^[^<]/, ({ path }) => (files.has(path) ? { path, namespace } : undefined))
      // CommonJS, since esbuild does not check the names that others import from it.
      build.onLoad({ filter: /.*/, namespace }, () => ({
        contents: `module.exports = {}; ${code}`,
        loader: 'js',
      }))
    },
  }
}

function withRewritten(rewritten: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'callsheet-rewritten',
    setup(build) {
      build.onLoad({ filter: /\.[cm]?[jt]sx?$/, namespace: 'file' }, ({ path }) => {
        const contents = rewritten.get(path)
        return contents === undefined ? undefined : { contents, loader: loaderOf(path) }
      })
    },
  }
}

function loaderOf(path: string): Loader {
  const extension = extname(path).replace(/^\.[cm]?/, '')
  return extension === 'tsx' || extension === 'jsx' || extension === 'ts' ? extension : 'js'
}
