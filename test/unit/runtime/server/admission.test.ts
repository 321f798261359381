import { expect, test } from 'vitest'
import { Admission } from '../../../../runtime/server/admission.ts'
import { Ending } from '../../../../runtime/server/ending.ts'
import { limitsOf } from '../../../../runtime/server/limits.ts'
import { PendingCount } from '../../../../runtime/server/pending-count.ts'
import { until } from './serving.ts'

/** Work that ends when it is told to. */
function held(began: string[], name: string) {
  let end = (): void => {}
  const work = (): Promise<void> => {
    began.push(name)
    return new Promise((resolve) => {
      end = resolve
    })
  }
  return { work, end: () => end() }
}

test('SERVE-6 nobody overtakes a group that waits for many places, which would wait for ever', async () => {
  const admission = new Admission(limitsOf({ concurrency: 2, queue: 5 }))
  const began: string[] = []
  const one = held(began, 'one')
  const group = held(began, 'group')
  const late = held(began, 'late')
  const running = [
    admission.run(one.work, new Ending()),
    admission.run(group.work, new Ending(), 2),
    admission.run(late.work, new Ending()),
  ]
  await Promise.resolve()
  expect([began, admission.running, admission.waiting]).toEqual([['one'], 1, 2])
  one.end()
  await until(() => began.length === 2)
  expect(began).toEqual(['one', 'group'])
  expect([admission.running, admission.waiting]).toEqual([2, 1])
  group.end()
  await until(() => began.length === 3)
  late.end()
  await Promise.all(running)
  expect(began).toEqual(['one', 'group', 'late'])
  expect([admission.running, admission.waiting]).toEqual([0, 0])
})

test('SERVE-6 work whose caller has gone is not begun, whether there is room or not', async () => {
  const admission = new Admission(limitsOf({ concurrency: 1, queue: 5 }))
  const began: string[] = []
  const gone = new Ending()
  gone.abort('left')
  const early = held(began, 'early')
  await expect(admission.run(early.work, gone)).rejects.toMatchObject({ code: 'bad_request' })
  const [first, leaves] = [held(began, 'first'), held(began, 'leaves')]
  const running = admission.run(first.work, new Ending())
  const leaving = new Ending()
  const waiting = admission.run(leaves.work, leaving)
  leaving.abort('left')
  await expect(waiting).rejects.toMatchObject({ code: 'bad_request' })
  first.end()
  await running
  expect([began, admission.running, admission.waiting]).toEqual([['first'], 0, 0])
})

test('SERVE-6 everybody who waits for the last answer is told of it', async () => {
  const answers = new PendingCount()
  answers.begin()
  const told = Promise.all([answers.none(60_000), answers.none(60_000)])
  answers.end()
  await told
})
