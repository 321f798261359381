import { tagOf } from '../../checks/tag.ts'
import { isJsonObject } from '../../json/json.ts'
import type { UnionBranch } from './codec.ts'

/** The branches of a union by the lower-case values of a property that all of them require and fix. */
interface ByTag {
  readonly name: string
  readonly branches: ReadonlyMap<unknown, readonly UnionBranch[]>
}

const none: readonly UnionBranch[] = Object.freeze([])

/** Built for the first value of a union; null if no property distinguishes its branches. */
const tags = new WeakMap<readonly UnionBranch[], ByTag | null>()

/**
 * Returns the branches that allow a value's tag, ignoring case; all branches if the union has no tag. So an answer of a hundred
 * Calls is not compared with each of a thousand Tools.
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
    if (isTag && (found.size > 1 || branches.length === 1)) return { name, branches: found }
  }
  return undefined
}

/** Returns the strings that a required property allows, before and after lowering; undefined if it allows other values. */
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
