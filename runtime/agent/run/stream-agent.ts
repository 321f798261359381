import { requireOptionsOf } from '../../problems/option-problems.ts'
import type { AgentOptions, AgentResult } from '../loop/agent-options.ts'
import { Agent } from './agent.ts'
import { agentOptionRules } from './agent-option-rules.ts'

/** A run of an agent, and what its model writes for a person meanwhile. */
export interface AgentStream<Output = unknown> {
  /** The text, piece by piece, until the run ends. Read it once; a run that fails ends it with the run's error. */
  readonly text: AsyncIterable<string>
  readonly result: Promise<AgentResult<Output>>
}

/**
 * Runs an agent with `stream`, and gives the text that its model writes for a person as it comes (REQ-6a). An attempt that
 * breaks off in the middle is followed by another, whose text begins from the start; `onText` says which attempt it is.
 *
 * @example
 * const { text, result } = streamAgent<string>({ model, tools: Tool, context, output: { type: 'string' } })
 * for await (const piece of text) process.stdout.write(piece)
 * const { output } = await result
 */
export function streamAgent<Output = unknown>(options: AgentOptions): AgentStream<Output> {
  requireOptionsOf('streamAgent', options, agentOptionRules, ['model', 'tools'])
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
  // Who only reads the text learns of a failure there; it is not unhandled for that.
  result.catch(() => {})
  async function* text(): AsyncGenerator<string> {
    for (;;) {
      // All that have come, since to take the first of a long list costs its length.
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
