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
  /** Unset while the type is being read, by which recursion is detected. */
  passed?: PassedValue
  isRecursive?: true
}

/** A named type; `isNew` on its first occurrence. */
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

/** Collects interfaces and aliases: each is emitted once, under its name (TOOL-7). */
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

  /** Returns the name of a shared type; undefined for one that is inlined. */
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

  /** Returns how values of a type are passed. Inside the type itself this is unknown yet, so they pass unchanged. */
  passed(type: ts.Type): PassedValue {
    const named = this.#types.get(type)
    if (named?.passed) return named.passed
    if (named) named.isRecursive = true
    return { isNarrower: false }
  }

  /** Whether a type contains itself. */
  isRecursive(type: ts.Type): boolean {
    return this.#types.get(type)?.isRecursive === true
  }

  /** Returns all defined types, by name. */
  all(): SharedSchema[] {
    return [...this.#types.values()]
      .flatMap(({ name, schema, declaration }) => (schema ? [{ name, schema, declaration }] : []))
      .sort((left, right) => byCodeUnit(left.name, right.name))
  }

  /** Names a type: `Box<string>` becomes BoxString. A second type with the name gets a hash of its location. */
  #freeName(shown: string, key: string): string {
    const plain = toIdentifier(shown.replaceAll('[]', ' List'))
    const name = this.#taken.has(plain) ? `${plain}_${shortHash(key)}` : plain
    this.#taken.add(name)
    return name
  }
}

/** Returns the symbol of a type to share: an interface, or an alias of more than literals; no built-in type. */
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
