import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { GeneratorError } from '../generator-error.ts'

/**
 * Asks a question and returns the line that the user typed.
 *
 * @throws GeneratorError `invalid_usage` if the input ends without a line: Ctrl-C, Ctrl-D, or a closed terminal.
 */
export async function askIn(
  input: Readable,
  output: Writable,
  question: string,
  isTerminal: boolean,
): Promise<string> {
  const lines = createInterface({ input, output, terminal: isTerminal })
  // Node's own promise rejects with a stack in some of these cases, and never settles in others.
  const closed = new Promise<never>((_, refuse) => {
    lines.once('close', () => refuse(unanswered()))
  })
  const answer = lines.question(question)
  answer.catch(() => {})
  try {
    return await Promise.race([answer, closed])
  } catch {
    output.write('\n')
    throw unanswered()
  } finally {
    lines.close()
  }
}

function unanswered(): GeneratorError {
  const fix = 'Run it again and answer, or pass the answer as an option: see --help.'
  return new GeneratorError('invalid_usage', [{ message: 'Nobody answered the question.', fix }])
}
