import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createContext } from '../../../../../runtime/context/context.ts'
import type { Message } from '../../../../../runtime/context/message.ts'
import { formatPath, type Path } from '../../../../../runtime/context/reference.ts'
import { resolveReferences } from '../../../../../runtime/context/resolve-references.ts'
import { scopedContext } from '../../../../../runtime/context/scope.ts'
import { readerOf, readState } from '../../../../../runtime/context/state.ts'
import { CallError } from '../../../../../runtime/errors.ts'
import { runs } from '../../../../runs.ts'
import { instance, kind, log, segments } from '../state/random-log.ts'
import { disguised, isSeen } from './disguised.ts'

const path: fc.Arbitrary<Path> = fc.record({ kind, segments })
const scopes = fc.array(path, { minLength: 1, maxLength: 3 })

describe('what a Call can reach', () => {
  test('SCOPE-1 within its scopes, the scoped context reads like the whole', () => {
    fc.assert(
      fc.property(log, scopes, segments, instance, (messages, allowed, rest, as) => {
        const seen = scopedContext(messages, allowed.map(formatPath), as)
        for (const scope of allowed) {
          for (const inside of [scope, { kind: scope.kind, segments: [...scope.segments, ...rest] }]) {
            expect(readState(seen, inside, as)).toEqual(readState(messages, inside, as))
          }
        }
      }),
      { numRuns: runs(1500) },
    )
  })

  test('SCOPE-1 INST-1 what an instance pushed comes after what is global, also where that is younger', () => {
    const messages: Message[] = [
      {
        type: 'data',
        kind: 'state',
        data: { list: 5 },
        _path: '†state.list',
        _outputMethod: 'push',
        _instance: 'a',
      },
      { type: 'state', state: { list: [1] } },
    ]
    const seen = scopedContext(messages, ['†state.list.1'], 'a')
    const second: Path = { kind: 'state', segments: ['list', '1'] }
    expect(readState(messages, second, 'a')).toBe(5)
    expect(readState(seen, second, 'a')).toBe(5)
  })

  test('SCOPE-1 INST-2 neither another instance nor anything out of scope can be told from what is seen', () => {
    fc.assert(
      fc.property(log, scopes, instance, fc.integer({ min: 100 }), (messages, allowed, as, secret) => {
        const entries = allowed.map(formatPath)
        const outside = messages.map((message) => disguised(message, allowed, as, secret))
        const seen = scopedContext(outside, entries, as)
        expect(JSON.stringify(seen)).not.toContain(String(secret))
        expect(
          scopedContext(
            outside.filter((each) => isSeen(each, as)),
            entries,
            as,
          ),
        ).toEqual(seen)
        for (const message of seen) expect([undefined, as]).toContain(message._instance)
      }),
      { numRuns: runs(500) },
    )
  })

  test('REF-1a INST-2 a Reference gives what the scoped context holds, or nothing', () => {
    fc.assert(
      fc.property(log, scopes, path, instance, fc.boolean(), (messages, allowed, wanted, as, indexed) => {
        const entries = allowed.map(formatPath)
        const context = indexed ? createContext(messages) : messages
        const call = { _tool: 'x', value: formatPath(wanted), ...(as !== undefined && { _instance: as }) }
        let found: unknown
        try {
          found = resolveReferences<{ _tool: string; value: unknown }>(call, readerOf(context), {
            scopes: entries,
          }).value
        } catch (error) {
          if (!(error instanceof CallError)) throw error
          expect(error.code).toBe('unresolved_reference')
          return
        }
        expect(found).toEqual(readState(scopedContext(messages, entries, as), wanted, as))
      }),
      { numRuns: runs(500) },
    )
  })
})
