import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createContext } from '../../../../../runtime/context/context.ts'
import type { Message } from '../../../../../runtime/context/message.ts'
import { formatPath } from '../../../../../runtime/context/reference.ts'
import { readState } from '../../../../../runtime/context/state.ts'
import { createStateIndex } from '../../../../../runtime/context/state-index.ts'
import { runs } from '../../../../runs.ts'
import { at, foldOracle } from './fold-oracle.ts'
import { instance, kind, log, message, segments } from './random-log.ts'

const path = fc.record({ kind, segments })

describe('reading a log', () => {
  test('OUT-3 OUT-4 INST-1 the reverse search gives what applying every Message gives', () => {
    fc.assert(
      fc.property(log, path, instance, (messages, where, as) => {
        const before = structuredClone(messages)
        expect(readState(messages, where, as)).toEqual(
          at(foldOracle(messages, where.kind, as), where.segments),
        )
        expect(messages).toEqual(before)
      }),
      { numRuns: runs(1500) },
    )
  })

  test('OUT-3 OUT-4 INST-1 the index agrees with the reverse search, however reads and appends interleave', () => {
    const step = fc.oneof(message, fc.record({ where: path, as: instance }))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const messages: Message[] = []
        const index = createStateIndex(messages)
        for (const each of steps) {
          if ('where' in each) {
            expect(index.read(each.where, each.as)).toEqual(readState(messages, each.where, each.as))
          } else messages.push(each)
        }
      }),
      { numRuns: runs(1000) },
    )
  })

  test('INST-1 what is global and came after a read takes nothing from an instance', () => {
    const messages: Message[] = [{ type: 'data', kind: 'state', data: { mine: 1 }, _instance: 'x' }]
    const index = createStateIndex(messages)
    const whole = { kind: 'state', segments: [] }
    messages.push({ type: 'data', kind: 'state', data: { first: 1 } })
    expect(index.read(whole, 'x')).toEqual({ first: 1, mine: 1 })
    messages.push({ type: 'data', kind: 'state', data: { mine: 2, later: 1 } })
    expect(index.read(whole, 'x')).toEqual({ first: 1, mine: 1, later: 1 })
  })

  test('INST-3 the index names the instances that have come by then', () => {
    const messages: Message[] = [{ type: 'text', text: 'hi', _instance: 'x' }]
    const index = createStateIndex(messages)
    messages.push({ type: 'text', text: 'hi' }, { type: 'data', kind: 'state', data: {}, _instance: 'y' })
    expect(index.instances()).toEqual(['x', 'y'])
    expect(index.hasInstance('y')).toBe(true)
  })

  test('REF-4 a Context answers alike, and what it hands out changes nothing', () => {
    fc.assert(
      fc.property(log, path, instance, (messages, where, as) => {
        const context = createContext(messages)
        const options = as === undefined ? {} : { instance: as }
        const first = context.read(formatPath(where), options)
        const want = structuredClone(first)
        expect(want).toEqual(at(foldOracle(messages, where.kind, as), where.segments))
        if (Array.isArray(first)) first.push('changed')
        else if (typeof first === 'object' && first !== null) Object.assign(first, { changed: true })
        expect(context.read(formatPath(where), options)).toEqual(want)
        expect(context.messages).toEqual(messages)
      }),
      { numRuns: 300 },
    )
  })
})
