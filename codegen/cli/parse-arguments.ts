import { parseArgs } from 'node:util'
import { type Fault, GeneratorError } from '../generator-error.ts'
import { didYouMean } from '../nearest-name.ts'
import type { Given, OptionSpecs } from './command.ts'

/**
 * Reads what follows a command's name.
 *
 * @throws GeneratorError `invalid_usage` with everything that is wrong: unknown options (with the nearest), missing and
 * superfluous values, values that are no choice, operands of a command that takes none.
 */
export function parseArguments(
  args: readonly string[],
  specs: OptionSpecs,
  command: { readonly name: string; readonly operands: string | undefined },
): Given {
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(specs).map(([name, { type, short }]) => [
        name,
        { type, ...(short !== undefined && { short }) },
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const help = `See \`callsheet ${command.name} --help\`.`
  const flags = new Set<string>()
  const values = new Map<string, string>()
  const operands: string[] = []
  const faults: Fault[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value)
    if (token.kind !== 'option') continue
    const message = Object.hasOwn(specs, token.name)
      ? wrongValue(token, specs)
      : `Unknown option ${token.rawName}.${didYouMean(token.name, Object.keys(specs)).replace(/"(.*)"/, '--$1')}`
    if (message !== undefined) faults.push({ message, fix: help })
    else if (token.value === undefined) flags.add(token.name)
    else values.set(token.name, token.value)
  }
  if (command.operands === undefined) {
    for (const operand of operands) faults.push({ message: `Unexpected argument "${operand}".`, fix: help })
  }
  if (faults.length > 0) throw new GeneratorError('invalid_usage', faults)
  return { flags, values, operands }
}

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
}

function wrongValue({ name, rawName, value }: OptionToken, specs: OptionSpecs): string | undefined {
  const spec = specs[name]
  if (spec?.type === 'boolean') {
    return value === undefined ? undefined : `Option ${rawName} takes no value, got "${value}".`
  }
  if (value === undefined || value === '')
    return `Option ${rawName} needs a value: ${spec?.value ?? 'VALUE'}.`
  if (spec?.choices === undefined || spec.choices.includes(value)) return undefined
  return `Option ${rawName} has to be one of ${spec.choices.join(', ')}, got "${value}".${didYouMean(value, spec.choices)}`
}
