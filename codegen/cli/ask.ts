import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { GeneratorError } from '../generator-error.ts'

/**
 * Asks a question and gives the line that was answered.
 *
 * @throws GeneratorError `invalid_usage` when there comes no line any more: Ctrl-C, Ctrl-D, or a terminal that was closed.
 */
export async function askIn(
  input: Readable,
  output: Writable,
  question: string,
  isTerminal: boolean,
): Promise<string> {
  const lines = createInterface({ input, output, terminal: isTerminal })
  // Node's own promise rejects with a stack for some of these, and never settles for others.
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
  const fix = 'Run it again and answer, or say it with options: see --help.'
  return new GeneratorError('invalid_usage', [{ message: 'Nobody answered the question.', fix }])
}
