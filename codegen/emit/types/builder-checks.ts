import { fixedFields } from '../../../runtime/schema/fixed-fields.ts'
import { stringLiteral } from '../../print/literal.ts'
import type { ToolTypes } from './tool-types.ts'

/** The local names of the types that check a builder's arguments against the declared context. */
export interface CheckWiring {
  /** `CheckArguments`. */
  arguments(): string
  /** `CheckBuiltOutputPath`. */
  outputPath(): string
  /** `Told`. */
  told(): string
}

/** The local names of the types that builders use. */
export interface BuilderWiring {
  /** `WrittenPath`. */
  writtenPath(): string
  /** Set if the project declares a context. */
  readonly checks: CheckWiring | undefined
}

/** The parts of a builder's signature that depend on what is checked. */
export interface BuilderChecks {
  readonly generics: string
  /** The type of the parameters. */
  readonly parameters: string
  /** The type of the meta-fields. */
  readonly meta: string
  /** The type of the built Call's output path. */
  readonly outputPath: string
}

/**
 * Prints the parts of a builder's signature. The builder of a Tool with `_outputPath` keeps the path and `_outputMethod` in the
 * Call's type, for plans. If the project declares its context, References are checked (TYPE-1), which needs literal strings, so
 * the builder is generic over its arguments. Otherwise it is not generic, which costs the compiler a third.
 */
export function builderChecks(types: ToolTypes, wiring: BuilderWiring): BuilderChecks {
  const { tool, meta, output, names } = types
  const { checks } = wiring
  const takesPath = meta.some(({ name }) => name === '_outputPath')
  const takesMethod = takesPath && meta.some(({ name }) => name === '_outputMethod')
  const generics: string[] = []
  if (checks) generics.push(`const Given extends ${names.arguments} | object`)
  const fixed = fixedFields(tool.schema.properties ?? {}) ?? {}
  if (takesPath) generics.push(`const OutputPath extends string = ${literalOrNever(fixed._outputPath)}`)
  if (takesMethod) {
    generics.push(
      `const OutputMethod extends ${names.meta}['_outputMethod'] & string = ${literalOrNever(fixed._outputMethod)}`,
    )
  }
  const toolName = stringLiteral(tool.name)
  if (checks) {
    const given = `${checks.arguments()}<ContextTypes, Given, ${names.arguments}, ${names.resolvedCall}, ${toolName}>`
    generics.push(`Fit = { told: ${given} }`)
  }
  if (checks && takesPath) {
    const written = `OutputPath, ${output ? names.output : 'undefined'}, ${toolName}`
    const given = `${checks.outputPath()}<ContextTypes, ${written}${takesMethod ? ', OutputMethod' : ''}>`
    generics.push(`PathFit = { told: ${given} }`)
  }
  const path = checks
    ? `PathFit extends { readonly told: string } ? PathFit['told'] : OutputPath`
    : 'OutputPath'
  const method = takesMethod ? '; _outputMethod?: OutputMethod' : ''
  return {
    generics: generics.length === 0 ? '' : `<${generics.join(', ')}>`,
    parameters: checks ? `${checks.told()}<Fit, Given>` : names.arguments,
    meta: takesPath ? `${names.meta} & { _outputPath?: ${path}${method} }` : names.meta,
    outputPath: takesMethod
      ? `${wiring.writtenPath()}<OutputPath, OutputMethod>`
      : takesPath
        ? 'OutputPath'
        : 'never',
  }
}

/** Prints the default of a type parameter: the Tool's fixed value, else `never`. */
function literalOrNever(fixed: string | undefined): string {
  return fixed === undefined ? 'never' : stringLiteral(fixed)
}
