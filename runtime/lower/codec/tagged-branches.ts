import { tagOf } from '../../checks/tag.ts'
import { isJsonObject } from '../../json/json.ts'
import type { UnionBranch } from './codec.ts'

/** The branches of a union by the texts that one property may have, which all of them require and fix; in small letters. */
interface ByTag {
  readonly name: string
  readonly branches: ReadonlyMap<unknown, readonly UnionBranch[]>
}

const none: readonly UnionBranch[] = Object.freeze([])

/** Made when a value first comes to a union; null where no property tells its branches apart. */
const tags = new WeakMap<readonly UnionBranch[], ByTag | null>()

/**
 * The branches that a value can be of by its tag, whatever its capitals are; all of them where they have none. An answer
 * of a hundred Calls under a thousand Tools is not compared with a thousand branches a hundred times.
 */
export function branchesByTag(branches: readonly UnionBranch[], value: unknown): readonly UnionBranch[] {
  let tag = tags.get(branches)
  if (tag === undefined) {
    tag = findTag(branches) ?? null
    tags.set(branches, tag)
  }
  if (tag === null) return branches
  const found = tagOf(value, tag.name)
  return typeof found === 'string' ? (tag.branches.get(found.toLowerCase()) ?? none) : none
}

function findTag(branches: readonly UnionBranch[]): ByTag | undefined {
  const [first] = branches
  for (const name of first?.schema.required ?? []) {
    const found = new Map<string, UnionBranch[]>()
    const isTag = branches.every((branch) => {
      const texts = fixedTexts(branch, name)
      for (const text of texts ?? []) {
        const alike = found.get(text)
        if (alike) alike.push(branch)
        else found.set(text, [branch])
      }
      return texts !== undefined
    })
    if (isTag && found.size > 1) return { name, branches: found }
  }
  return undefined
}

/** The texts that a required property may have, on both sides of the lowering; undefined where it may have others. */
function fixedTexts({ schema, value }: UnionBranch, name: string): ReadonlySet<string> | undefined {
  const property = schema.properties?.[name]
  if (schema.type !== 'object' || !schema.required?.includes(name) || !isJsonObject(property))
    return undefined
  if (value !== undefined && value.kind !== 'object') return undefined
  const member = value?.members.get(name)?.value
  if (member !== undefined && member.kind !== 'capitals') return undefined
  const allowed: readonly unknown[] | undefined =
    property.const === undefined ? property.enum : [property.const]
  if (!allowed?.every((entry) => typeof entry === 'string')) return undefined
  return new Set(allowed.map((entry) => entry.toLowerCase()))
}
