import { type CallsheetError, isCallsheetError } from '../../runtime/errors.ts'
import { messageOf } from '../../runtime/problems/message-of.ts'
import { DefinitionFault } from '../definition-fault.ts'
import { annotationText } from '../findings/finding-text.ts'
import { GeneratorError } from '../generator-error.ts'
import { isThrown, stackOf } from '../load/thrown-text.ts'
import { systemCode } from '../write/file-system.ts'
import { styleFor } from './style.ts'
import type { Terminal } from './terminal.ts'

/** Reports why a command failed, in the requested format. */
export function faultReport(thrown: unknown, format: string | undefined, terminal: Terminal): void {
  const error = systemFault(thrown) ?? thrown
  if (format === 'json') terminal.out(`${JSON.stringify({ ok: false, error: faultData(error) }, null, 2)}\n`)
  const style = styleFor(terminal.colours)
  for (const text of faultTexts(error)) {
    if (format === 'github') terminal.out(`::error title=callsheet::${annotationText(text)}\n`)
    terminal.err(`${style.red('error')} ${text}\n`)
  }
}

/** Converts an error of the file system, such as a missing permission or a circular link, wherever it was thrown. */
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

/** Prints each fault with its fix. An unexpected error is printed with its stack, so that it can be reported. */
function faultTexts(error: unknown): string[] {
  if (error instanceof GeneratorError)
    return error.faults.map(({ message, fix }) => `${message}\n  fix: ${fix}`)
  if (isAnsweredFor(error)) return [`${error.message}\n  fix: ${fixOf(error)}`]
  if (isThrown(error, DefinitionFault)) {
    const { message, cause } = error as DefinitionFault
    return [`${message}; please report this with that definition.\n${stackOf(cause).trimEnd()}`]
  }
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

/** Whether the runtime refused something for a known reason: a wrong option in a module, a package that is not installed. */
function isAnsweredFor(error: unknown): error is CallsheetError {
  return isCallsheetError(error) && error.code !== 'internal'
}

function fixOf({ code }: CallsheetError): string {
  return `Do as it says; node_modules/callsheet/docs/errors.md has more under ${code}.`
}

/** Finds the requested format, also in an invalid command line. */
export function formatAskedFor(args: readonly string[]): string | undefined {
  const joined = args.find((argument) => argument.startsWith('--format='))
  if (joined !== undefined) return joined.slice('--format='.length)
  const index = args.indexOf('--format')
  return index < 0 ? undefined : args[index + 1]
}
