import type { Call } from '../../context/message.ts'
import { sizeOf } from '../../json/size-of.ts'
import { CallStream } from '../transport/call-stream.ts'
import { answerTooLong, longestBody } from '../transport/limited-fetch.ts'
import type { AnswerListener } from '../transport/reply.ts'
import type { AnswerFormat } from './answer-format.ts'
import type { StartedCalls } from './started-calls.ts'

export interface Listening {
  readonly format: AnswerFormat<unknown>
  readonly started: StartedCalls
  readonly emitText: ((text: string) => void) | undefined
  /** Most characters of the answer. */
  readonly maxAnswer: number
  readonly onUsage: AnswerListener['onUsage']
  readonly isClosed: AnswerListener['isClosed']
  /** Aborted when the attempt is abandoned. */
  readonly signal: AbortSignal
}

/** Processes a streamed answer: offers each complete Call, passes text on, and stops the stream if it grows too long. */
export function listenToAnswer(listening: Listening): AnswerListener {
  const { format, started, emitText, maxAnswer, onUsage, isClosed, signal } = listening
  const calls = new CallStream()
  let length = 0
  let stored = 0
  let index = 0
  let lastPlace = Number.NEGATIVE_INFINITY
  let isInOrder = true
  // A Call of a Tool that was not offered does not count for the indexes of the solution's Calls.
  const offer = (call: Call | undefined): void => {
    if (call) started.offer(call, index++)
  }
  return {
    onUsage,
    isClosed,
    onText: (text) => {
      // Pieces of an abandoned attempt start nothing.
      if (signal.aborted) return
      if (started.areWanted && format.liftCall) {
        for (const value of calls.push(text)) offer(format.liftCall(value))
      }
      emitText?.(text)
    },
    onToolCall: (called) => {
      // If a server repeats a Call or sends them out of order, all wait until the answer is complete.
      const place = Number(called.place ?? 0)
      isInOrder &&= place > lastPlace
      lastPlace = place
      if (isInOrder && started.areWanted && !signal.aborted) offer(format.liftToolCall?.(called))
    },
    onGrowth: (characters) => {
      length += characters
      if (length > maxAnswer) throw answerTooLong(maxAnswer)
    },
    onStored: (value) => {
      stored += sizeOf(value)
      if (stored > longestBody(maxAnswer)) throw answerTooLong(maxAnswer)
    },
  }
}
