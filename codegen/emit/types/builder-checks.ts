import { stringLiteral } from '../../print/literal.ts'
import type { ToolTypes } from './tool-types.ts'

/** The local names of what checks a builder's arguments against the declared context. */
export interface CheckWiring {
  /** `CheckArguments`. */
  arguments(): string
  /** `CheckBuiltOutputPath`. */
  outputPath(): string
  /** `Told`. */
  told(): string
}

/** The parts of a builder's signature that depend on what is checked. */
export interface BuilderChecks {
  readonly generics: string
  /** The type of the parameters. */
  readonly parameters: string
  /** The type of the meta-fields. */
  readonly meta: string
  /** The type of the output path that the built Call carries. */
  readonly outputPath: string
}

/**
 * A Tool that takes an `_outputPath` has its builder remember it, for plans. A project that declares what its contexts
 * hold has References checked (TYPE-1), for which the compiler must know the texts: there a builder is generic over its
 * arguments. Without a declared context it is not, which costs the compiler a third.
 *
 * @param wiring Set where the project declares a context.
 */
export function builderChecks(types: ToolTypes, wiring: CheckWiring | undefined): BuilderChecks {
  const { tool, meta, output, names } = types
  const takesPath = meta.some(({ name }) => name === '_outputPath')
  const generics: string[] = []
  if (wiring) generics.push(`const Given extends ${names.arguments} | object`)
  if (takesPath) generics.push('const OutputPath extends string = never')
  const toolName = stringLiteral(tool.name)
  if (wiring) {
    const checks = `${wiring.arguments()}<ContextTypes, Given, ${names.arguments}, ${names.resolvedCall}, ${toolName}>`
    generics.push(`Fit = { told: ${checks} }`)
  }
  if (wiring && takesPath) {
    const checks = `${wiring.outputPath()}<ContextTypes, OutputPath, ${output ? names.output : 'undefined'}, ${toolName}>`
    generics.push(`PathFit = { told: ${checks} }`)
  }
  const path = wiring
    ? `PathFit extends { readonly told: string } ? PathFit['told'] : OutputPath`
    : 'OutputPath'
  return {
    generics: generics.length === 0 ? '' : `<${generics.join(', ')}>`,
    parameters: wiring ? `${wiring.told()}<Fit, Given>` : names.arguments,
    meta: takesPath ? `${names.meta} & { _outputPath?: ${path} }` : names.meta,
    outputPath: takesPath ? 'OutputPath' : 'never',
  }
}
