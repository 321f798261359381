import { describe, expect, test } from 'vitest'
import { callPolicy, contextOf } from '../../../../runtime/agent/loop/call-policy.ts'
import type { Message } from '../../../../runtime/context/message.ts'
import type { Reader } from '../../../../runtime/context/reader.ts'

const messages: readonly Message[] = [{ type: 'text', text: 'Hello' }]
const said = { effects: 'read', deadline: 5, isApproved: undefined, isAsked: undefined } as const

function viewThatCounts(): { view: Reader; looks: () => number } {
  let looks = 0
  const view: Reader = {
    get messages() {
      looks++
      return messages
    },
    read: () => undefined,
    hasInstance: () => false,
    instances: () => [],
  }
  return { view, looks: () => looks }
}

describe('callPolicy', () => {
  test('REQ-8a lists the context when somebody looks at it, and not before', () => {
    const { view, looks } = viewThatCounts()
    const policy = callPolicy(view, said)
    expect(looks()).toBe(0)
    expect(policy.context).toBe(messages)
    expect(looks()).toBe(1)
  })

  test.each([
    ['JSON', (policy: object): unknown => JSON.parse(JSON.stringify(policy))],
    ['a structured clone', (policy: object): unknown => structuredClone(policy)],
  ])('REQ-8a is plain data with its context, through %s', (_, through) => {
    const policy = through(callPolicy(viewThatCounts().view, said))
    expect(policy).toEqual({ kind: 'call', context: messages, effects: 'read', deadline: 5 })
  })

  test('a copy, and a copy with another member, runs in the same view', () => {
    const { view, looks } = viewThatCounts()
    const policy = callPolicy(view, said)
    const copy = { ...policy, asksOnly: true }
    expect(contextOf(policy)).toBe(view)
    expect(contextOf(copy)).toBe(view)
    expect(copy.context).toBe(messages)
    expect(looks()).toBe(1)
  })

  test('two policies keep their own views', () => {
    const others: readonly Message[] = []
    const first = callPolicy(viewThatCounts().view, said)
    const second = callPolicy({ messages: others }, said)
    expect(first.context).toBe(messages)
    expect(second.context).toBe(others)
  })

  test.each([
    { given: { ...said, isApproved: true, isAsked: true }, want: { isApproved: true, isAsked: true } },
    { given: { ...said, isAsked: true }, want: { isAsked: true } },
    { given: said, want: {} },
  ])('says what is set: $want', ({ given, want }) => {
    const { isApproved, isAsked } = callPolicy(viewThatCounts().view, given)
    expect({ ...(isApproved && { isApproved }), ...(isAsked && { isAsked }) }).toEqual(want)
  })
})
