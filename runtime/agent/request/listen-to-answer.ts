import type { Call } from '../../context/message.ts'
import { CallStream } from '../transport/call-stream.ts'
import { answerTooLong } from '../transport/limited-fetch.ts'
import type { AnswerListener } from '../transport/reply.ts'
import type { AnswerFormat } from './answer-format.ts'
import type { StartedCalls } from './started-calls.ts'

export interface Listening {
  readonly format: AnswerFormat<unknown>
  readonly started: StartedCalls
  readonly tellText: ((text: string) => void) | undefined
  /** Characters. */
  readonly maxAnswer: number
  /** Aborted when the attempt is given up. */
  readonly signal: AbortSignal
}

/** Listens to an answer while it comes: offers each Call that is complete, passes its text on, and stops it when it grows too long. */
export function listenToAnswer(listening: Listening): AnswerListener {
  const { format, started, tellText, maxAnswer, signal } = listening
  const calls = new CallStream()
  let length = 0
  let index = 0
  let lastPlace = Number.NEGATIVE_INFINITY
  let isInOrder = true
  // What is not a Call of an offered Tool has no place among the Calls of the solution.
  const offer = (call: Call | undefined): void => {
    if (call) started.offer(call, index++)
  }
  return {
    onText: (text) => {
      // What still comes of an attempt that was given up starts nothing.
      if (signal.aborted) return
      if (started.areWanted && format.liftCall) {
        for (const value of calls.push(text)) offer(format.liftCall(value))
      }
      tellText?.(text)
    },
    onToolCall: (called) => {
      // Of a server that says one twice, or another one first, all wait until the answer is whole.
      const place = Number(called.place ?? 0)
      isInOrder &&= place > lastPlace
      lastPlace = place
      if (isInOrder && started.areWanted && !signal.aborted) offer(format.liftToolCall?.(called))
    },
    onGrowth: (characters) => {
      length += characters
      if (length > maxAnswer) throw answerTooLong(maxAnswer)
    },
  }
}
