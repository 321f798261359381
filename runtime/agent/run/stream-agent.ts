import type { AgentOptions, AgentResult } from '../loop/agent-options.ts'
import { Agent } from './agent.ts'
import { requireAgentOptions } from './agent-option-rules.ts'

/** A run of an agent, and the text that its model writes for people. */
export interface AgentStream<Output = unknown> {
  /** The text in pieces, until the run ends. Can be read once; if the run fails, it ends with the run's error. */
  readonly text: AsyncIterable<string>
  readonly result: Promise<AgentResult<Output>>
}

/**
 * Runs an agent with `stream`, and returns the text that its model writes for people as it arrives (REQ-6a). If an
 * attempt breaks off, the next one begins its text from the start; `onText` receives the number of the attempt.
 *
 * @example
 * const { text, result } = streamAgent<string>({ model, tools: Tool, context, output: { type: 'string' } })
 * for await (const piece of text) process.stdout.write(piece)
 * const { output } = await result
 */
export function streamAgent<Output = unknown>(options: AgentOptions): AgentStream<Output> {
  requireAgentOptions('streamAgent', options)
  let pieces: string[] = []
  let isOver = false
  let wake = (): void => {}
  const result = Agent<Output>({
    ...options,
    stream: true,
    onText: (piece, about) => {
      pieces.push(piece)
      wake()
      return options.onText?.(piece, about)
    },
  }).finally(() => {
    isOver = true
    wake()
  })
  // A caller that only reads the text gets the failure there, so the rejection counts as handled.
  result.catch(() => {})
  async function* text(): AsyncGenerator<string> {
    for (;;) {
      // Take all pieces at once, since removing the first of a long array takes linear time.
      const come = pieces
      pieces = []
      for (const piece of come) yield piece
      if (come.length > 0) continue
      if (isOver) break
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    await result
  }
  return { text: text(), result }
}
