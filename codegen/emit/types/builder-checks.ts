import { propertyName } from '../../print/literal.ts'
import type { TypeNode } from '../../print/type-node.ts'
import type { ToolTypes } from './tool-types.ts'

/** The local names of what checks a builder's arguments against the declared context. */
export interface CheckWiring {
  /** `CheckArgument`. */
  argument(): string
  /** `CheckBuiltOutputPath`. */
  outputPath(): string
  /** `Reference`. */
  reference(): string
  /** A resolved type as text. */
  text(node: TypeNode): string
}

/** What a builder's signature has more where its texts matter to the compiler. */
export interface BuilderChecks {
  readonly generics: string
  /** What stands beside the type of the parameters. */
  readonly parameters: string
  /** What stands beside the type of the meta-fields. */
  readonly meta: string
  /** The type of the output path that the built Call carries. */
  readonly outputPath: string
}

/**
 * A Tool that takes an `_outputPath` has its builder remember it, for plans. A project that declares what its contexts
 * hold has References checked (TYPE-1): each parameter that plain values stand for gets a type parameter of its own, by
 * which the compiler knows the text, since a parameter's type alone cannot say "any string but a wrong Reference". That
 * costs some six instantiations for each such parameter and Call, which is why a project without a declared context has
 * none of it. Lists and objects are checked by `reference(…)` and in plans.
 *
 * @param wiring Set where the project declares a context.
 */
export function builderChecks(types: ToolTypes, wiring: CheckWiring | undefined): BuilderChecks {
  const { meta, output, names } = types
  const given = wiring ? checkedParameters(types, wiring) : []
  const generics = given.map(({ generic }) => generic)
  const takesPath = meta.some(({ name }) => name === '_outputPath')
  if (takesPath) generics.push('const OutputPath extends string = never')
  // Defaults come last. A default is worked out when the arguments are known; the check itself beside a parameter
  // would be worked out for "any text" first, which takes ten times as much.
  if (given.length > 0) generics.push(`Checks = ${members(given.map(({ check }) => check))}`)
  const pathCheck = wiring
    ? ` & ${wiring.outputPath()}<ContextTypes, OutputPath, ${output ? names.output : 'undefined'}>`
    : ''
  return {
    generics: generics.length === 0 ? '' : `<${generics.join(', ')}>`,
    parameters:
      given.length === 0 ? '' : ` & ${members(given.map(({ member }) => member))} & NoInfer<Checks>`,
    meta: takesPath ? ` & { _outputPath?: OutputPath${pathCheck} }` : '',
    outputPath: takesPath ? 'OutputPath' : 'never',
  }
}

function members(list: readonly string[]): string {
  return `{ ${list.join('; ')} }`
}

interface CheckedParameter {
  readonly generic: string
  /** Where the argument is taken from. */
  readonly member: string
  /** What must hold of it. */
  readonly check: string
}

function checkedParameters({ resolved }: ToolTypes, wiring: CheckWiring): CheckedParameter[] {
  if (resolved.kind !== 'object' || resolved.index) return []
  const checkable = resolved.members.flatMap(({ name, node }) => {
    const kinds = plainKinds(node)
    return kinds ? { name, node, kinds } : []
  })
  return checkable.map(({ name, node, kinds }, index) => {
    const given = `Given${index + 1}`
    const others = kinds.has('string') ? [...kinds] : [...kinds, wiring.reference()]
    const key = `${propertyName(name)}?`
    return {
      generic: `const ${given} extends ${others.join(' | ')}`,
      member: `${key}: ${given}`,
      check: `${key}: ${wiring.argument()}<ContextTypes, ${given}, ${wiring.text(node)}>`,
    }
  })
}

/** The plain types that a type is made of; undefined where it is made of anything else, or says nothing. */
function plainKinds(node: TypeNode): ReadonlySet<string> | undefined {
  switch (node.kind) {
    case 'primitive':
      return new Set([node.name])
    case 'literal':
      return new Set([node.value === null ? 'null' : typeof node.value])
    case 'union': {
      const parts = node.nodes.map(plainKinds)
      return parts.includes(undefined) ? undefined : new Set(parts.flatMap((part) => [...(part ?? [])]))
    }
    default:
      return undefined
  }
}
