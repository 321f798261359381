import { ts } from 'ts-morph'
import { byCodeUnit } from '../../runtime/json/json.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import { shortHash } from '../../runtime/schema/tool-name.ts'
import type { PassedValue } from '../function-implementation.ts'
import { toIdentifier } from '../names/names.ts'
import { isPlatformFile } from './type-kind.ts'

interface Named {
  readonly name: string
  readonly declaration: ts.Node
  readonly key: string
  schema?: JsonSchema
  /** Unset while the type is being read, which is how a recursive one is noticed. */
  passed?: PassedValue
  isRecursive?: true
}

/** A named type that was found; `isNew` the first time. */
export interface FoundType {
  readonly name: string
  readonly symbol: ts.Symbol
  readonly declaration: ts.Node
  readonly isNew: boolean
}

/** A schema that the types of several functions may share. */
export interface SharedSchema {
  readonly name: string
  readonly schema: JsonSchema
  readonly declaration: ts.Node
}

/** The interfaces and aliases that were met: each is written once, under its name (TOOL-7). */
export class NamedTypes {
  readonly #checker: ts.TypeChecker
  readonly #taken: Set<string>
  readonly #root: string
  readonly #types = new Map<ts.Type, Named>()

  /** @param taken Names of other shared schemas, which a type of the same name must not replace. */
  constructor(checker: ts.TypeChecker, taken: Iterable<string>, root: string) {
    this.#checker = checker
    this.#taken = new Set(taken)
    this.#root = root
  }

  /** The name of a type that is to be shared; undefined for one that is written in place. */
  find(type: ts.Type): FoundType | undefined {
    const symbol = sharedSymbol(type)
    const declaration = symbol?.declarations?.[0]
    if (!symbol || !declaration) return undefined
    const before = this.#types.get(type)
    if (before) return { name: before.name, symbol, declaration, isNew: false }
    const path = declaration.getSourceFile().fileName.slice(this.#root.length)
    const key = `${path}#${this.#checker.typeToString(type)}`
    const name = this.#freeName(this.#checker.typeToString(type), key)
    this.#types.set(type, { name, declaration, key })
    return { name, symbol, declaration, isNew: true }
  }

  define(type: ts.Type, schema: JsonSchema, passed: PassedValue): void {
    const named = this.#types.get(type)
    if (named) Object.assign(named, { schema, passed })
  }

  /** How values of a type are passed. Within the type itself that is not known yet, and they pass as they are. */
  passed(type: ts.Type): PassedValue {
    const named = this.#types.get(type)
    if (named?.passed) return named.passed
    if (named) named.isRecursive = true
    return { isNarrower: false }
  }

  /** True for a type that was met within itself. */
  isRecursive(type: ts.Type): boolean {
    return this.#types.get(type)?.isRecursive === true
  }

  /** Everything that was defined, by name. */
  all(): SharedSchema[] {
    return [...this.#types.values()]
      .flatMap(({ name, schema, declaration }) => (schema ? [{ name, schema, declaration }] : []))
      .sort((left, right) => byCodeUnit(left.name, right.name))
  }

  /** `Box<string>` is BoxString; a second type of a name carries a hash of where it stands. */
  #freeName(shown: string, key: string): string {
    const plain = toIdentifier(shown.replaceAll('[]', ' List'))
    const name = this.#taken.has(plain) ? `${plain}_${shortHash(key)}` : plain
    this.#taken.add(name)
    return name
  }
}

/** An interface, or an alias of something that is more than a few literals; nothing of the language itself. */
function sharedSymbol(type: ts.Type): ts.Symbol | undefined {
  const isCompound = (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.UnionOrIntersection)) !== 0
  if (!isCompound || (type.isUnion() && type.types.every(isSimple))) return undefined
  const symbol =
    type.aliasSymbol ?? (type.isClassOrInterface() || isReference(type) ? type.symbol : undefined)
  if (!symbol || !(symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias))) return undefined
  const isOwn = symbol.declarations?.every((each) => !isPlatformFile(each.getSourceFile().fileName))
  return isOwn ? symbol : undefined
}

function isReference(type: ts.Type): boolean {
  return ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference) !== 0
}

function isSimple(type: ts.Type): boolean {
  return (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Instantiable)) === 0
}
