import { dirname, resolve } from 'node:path'
import { specifierResolver } from '../load/resolve-specifier.ts'
import { isInside } from '../paths/is-inside.ts'
import { portablePath } from '../paths/portable-path.ts'
import { statIfPresent } from '../write/file-system.ts'
import { isRegister } from './read-source.ts'
import type { OutputFolders } from './searched-sources.ts'
import type { SourceReadings } from './source-readings.ts'
import { madeByHand, type Reference } from './source-values.ts'

/**
 * Where the `register` of an `Activity` comes from: the absolute path of an output folder, the specifier of a package, a registry made by
 * hand; undefined if the texts do not tell.
 */
export type RegistrationOrigin = string | undefined

/** The most paths that one reference is followed along: more are of files that give each other members of what they got in turn. */
const mostPaths = 20

/** What was seen on the way from a reference. */
interface Way {
  /** The exports of files, as steps. */
  readonly steps: Set<string>
  /** Barrels pass one path on through many files; the bundles of a project, which import each other, make ever new ones. */
  readonly paths: Set<string>
}

/** Follows the references of a project's sources to the `Activity` that they mean. */
export class RegistrationOrigins {
  readonly #scope: OutputFolders
  readonly #readings: SourceReadings
  readonly #outputs: readonly string[]
  /** The paths at which imported files were looked for, but for those in output folders. */
  readonly asked: Set<string> = new Set()
  readonly #resolve: (specifier: string, file: string) => string | undefined
  /** What specifiers mean in a folder. Barrels lead to the same ones again and again. */
  readonly #sources = new Map<string, string | undefined>()
  /** What exports of files were found to lead to, by the file and the path. */
  readonly #followed = new Map<string, readonly RegistrationOrigin[]>()

  constructor(scope: OutputFolders, readings: SourceReadings) {
    this.#scope = scope
    this.#readings = readings
    const { root, output, otherOutputs } = scope
    this.#outputs = [output, ...otherOutputs].map((folder) => resolve(root, folder))
    this.#resolve = specifierResolver(root, (file) => {
      const path = resolve(root, file)
      // The output of a first run is not there yet.
      if (this.#outputOf(path) !== undefined) return true
      this.asked.add(path)
      return statIfPresent(path)?.isFile() === true
    })
  }

  /** Returns the origins of what a reference in a file may mean; none if that is no `register` of an `Activity`. */
  of(file: string, reference: Reference): readonly RegistrationOrigin[] {
    return this.#follow(file, reference, { steps: new Set(), paths: new Set() })
  }

  /** Whether an origin is of the set: not of another one, and not of `createRegistry`. What the texts do not tell is. */
  isOwn(origin: RegistrationOrigin): boolean {
    return origin !== madeByHand && !this.#outputs.slice(1).some((folder) => folder === origin)
  }

  /** Whether the `Activity` of a module that a file imports is the set's. */
  hasOwnActivity(file: string, specifier: string): boolean {
    const reference = { from: specifier, path: ['Activity', 'register'] }
    return this.of(file, reference).some((origin) => this.isOwn(origin))
  }

  #follow(file: string, { from, path }: Reference, way: Way): readonly RegistrationOrigin[] {
    const told = isRegister(path) ? [from] : []
    if (from === undefined || from === madeByHand) return told
    const source = this.#sourceOf(file, from)
    if (source === undefined) return told
    const output = this.#outputOf(source)
    if (output !== undefined) return isRegister(path) ? [output] : []
    const step = JSON.stringify([source, path])
    if (way.steps.has(step)) return []
    const isFirst = way.steps.size === 0
    way.steps.add(step)
    way.paths.add(JSON.stringify(path))
    if (way.paths.size > mostPaths) return []
    const origins = this.#followed.get(step) ?? this.#followExport(source, path, way)
    // Others may lack what was seen before them.
    if (isFirst) this.#followed.set(step, origins)
    return origins.length > 0 ? origins : told
  }

  #followExport(source: string, path: readonly string[], way: Way): readonly RegistrationOrigin[] {
    const passed = this.#readings.of(source).exported(path)
    return [...new Set(passed.flatMap((each) => this.#follow(source, each, way)))]
  }

  #sourceOf(file: string, specifier: string): string | undefined {
    const key = JSON.stringify([dirname(file), specifier])
    if (!this.#sources.has(key)) this.#sources.set(key, this.#findSource(file, specifier))
    return this.#sources.get(key)
  }

  #findSource(file: string, specifier: string): string | undefined {
    const path = resolve(dirname(file), specifier)
    if (specifier.startsWith('.') && this.#outputOf(path) !== undefined) return path
    const { root } = this.#scope
    const source = this.#resolve(specifier, portablePath(root, file))
    return source === undefined ? undefined : resolve(root, source)
  }

  #outputOf(path: string): string | undefined {
    return this.#outputs.find((folder) => isInside(path, folder))
  }
}
