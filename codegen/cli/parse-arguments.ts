import { parseArgs } from 'node:util'
import { type Fault, GeneratorError } from '../generator-error.ts'
import { didYouMean } from '../names/nearest-name.ts'
import type { Given, OptionSpecs } from './command.ts'

/**
 * Parses the arguments after a command's name.
 *
 * @throws GeneratorError `invalid_usage` with everything that is wrong: unknown options (with the nearest name), missing and
 * superfluous values, values outside the choices, operands of a command that takes none.
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
  const said = new Set<string>()
  const operands: string[] = []
  const faults: Fault[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value)
    if (token.kind !== 'option') continue
    const fault = Object.hasOwn(specs, token.name)
      ? wrongValue(token, specs, said)
      : {
          message: `Unknown option ${token.rawName}.${didYouMean(token.name, Object.keys(specs)).replace(/"(.*)"/, '--$1')}`,
        }
    if (fault !== undefined) faults.push({ fix: help, ...fault })
    else if (token.value === undefined) flags.add(token.name)
    else values.set(token.name, token.value)
    said.add(token.name)
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
  readonly inlineValue: boolean | undefined
}

/** @param said The names of the options before it. */
function wrongValue(
  { name, rawName, value, inlineValue }: OptionToken,
  specs: OptionSpecs,
  said: ReadonlySet<string>,
): (Partial<Fault> & Pick<Fault, 'message'>) | undefined {
  const spec = specs[name]
  const isParameter = spec?.isParameter ?? false
  if (isParameter && said.has(name)) return { message: `Option ${rawName} is given twice.` }
  if (spec?.type === 'boolean') {
    if (value === undefined || (isParameter && ['true', 'false'].includes(value))) return undefined
    const wanted = isParameter ? 'true, false or no value' : 'no value'
    return { message: `Option ${rawName} takes ${wanted}, got "${value}".` }
  }
  const needed = `Option ${rawName} needs a value: ${spec?.value ?? 'VALUE'}`
  if (value === undefined || (value === '' && !isParameter)) return { message: `${needed}.` }
  if (!inlineValue && isOption(value, specs)) {
    return {
      message: `${needed}, got the option ${value}.`,
      fix: `Write the value, or ${rawName}=${value} where that is the value.`,
    }
  }
  if (spec?.choices === undefined || spec.choices.includes(value)) return undefined
  return {
    message: `Option ${rawName} has to be one of ${spec.choices.join(', ')}, got "${value}".${didYouMean(value, spec.choices)}`,
  }
}

/** Whether a word looks like an option, known or misspelt. If a value is forgotten, the next option must not become it. */
function isOption(word: string, specs: OptionSpecs): boolean {
  const letters = Object.values(specs).flatMap(({ short = [] }) => short)
  return /^--[\w.-]*(?:=|$)/.test(word) || letters.some((short) => word === `-${short}`)
}
