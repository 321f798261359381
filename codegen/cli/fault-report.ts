import { type CallsheetError, isCallsheetError } from '../../runtime/errors.ts'
import { messageOf } from '../../runtime/problems/message-of.ts'
import { annotationText } from '../findings/finding-text.ts'
import { GeneratorError } from '../generator-error.ts'
import { isThrown, stackOf } from '../load/thrown-text.ts'
import { systemCode } from '../write/file-system.ts'
import { styleFor } from './style.ts'
import type { Terminal } from './terminal.ts'

/** Says why a command could not do its work, in the format that was asked for. */
export function faultReport(thrown: unknown, format: string | undefined, terminal: Terminal): void {
  const error = systemFault(thrown) ?? thrown
  if (format === 'json') terminal.out(`${JSON.stringify({ ok: false, error: faultData(error) }, null, 2)}\n`)
  const style = styleFor(terminal.colours)
  for (const text of faultTexts(error)) {
    if (format === 'github') terminal.out(`::error title=callsheet::${annotationText(text)}\n`)
    terminal.err(`${style.red('error')} ${text}\n`)
  }
}

/** A folder without permission, a link that leads to itself: the machine refused, wherever it was asked. */
function systemFault(error: unknown): GeneratorError | undefined {
  const code = isThrown(error, GeneratorError) || !isThrown(error, Error) ? undefined : systemCode(error)
  const path: unknown = code === undefined ? undefined : Reflect.get(error as object, 'path')
  if (typeof path !== 'string') return undefined
  const fault = {
    message: `Cannot read or write ${path}: ${messageOf(error)}.`,
    fix: 'Give this user access to it, or move it away, and run it again.',
  }
  return new GeneratorError('cannot_read', [fault], error)
}

/** Each fault with its fix below; an error of Callsheet's own comes with its stack, to be reported. */
function faultTexts(error: unknown): string[] {
  if (error instanceof GeneratorError)
    return error.faults.map(({ message, fix }) => `${message}\n  fix: ${fix}`)
  if (isAnsweredFor(error)) return [`${error.message}\n  fix: ${fixOf(error)}`]
  const stack = (stackOf(error) || messageOf(error)).trimEnd()
  return [`Callsheet itself failed; please report this with the definition that causes it.\n${stack}`]
}

function faultData(error: unknown): object {
  if (error instanceof GeneratorError) return { code: error.code, faults: error.faults }
  if (isAnsweredFor(error))
    return { code: error.code, faults: [{ message: error.message, fix: fixOf(error) }] }
  return {
    code: 'internal',
    faults: [{ message: messageOf(error), fix: 'Report it.' }],
  }
}

/** True for what the runtime refuses with a reason: a wrong option of a module, a package that is not installed. */
function isAnsweredFor(error: unknown): error is CallsheetError {
  return isCallsheetError(error) && error.code !== 'internal'
}

function fixOf({ code }: CallsheetError): string {
  return `Do as it says; node_modules/callsheet/docs/errors.md has more under ${code}.`
}

/** The format that a command line asks for, as far as a wrong line can be read. */
export function formatAskedFor(args: readonly string[]): string | undefined {
  const joined = args.find((argument) => argument.startsWith('--format='))
  if (joined !== undefined) return joined.slice('--format='.length)
  const index = args.indexOf('--format')
  return index < 0 ? undefined : args[index + 1]
}
