import { expect, test } from 'vitest'
import { whyUnreadable } from '../../../../codegen/load/unreadable.ts'
import { counted, type Work } from '../../../fuzz/work.ts'

test('GEN-4 schemas that nest each other are read once each, not once for every schema around them', () => {
  const nested = (levels: number): object => (levels === 0 ? {} : { inner: nested(levels - 1) })
  const readsOf = (levels: number): number => {
    const work: Work = { reads: 0 }
    const read = new WeakSet<object>()
    let each = counted(nested(levels), work) as { inner?: object } | undefined
    for (; each; each = each.inner) expect(whyUnreadable(each, read)).toBeUndefined()
    return work.reads
  }
  expect(readsOf(400)).toBeLessThan(2.2 * readsOf(200))
})

test('GEN-4 what throws is told each time that something with it is read', () => {
  const read = new WeakSet<object>()
  const broken = {
    get a() {
      throw new Error('mine')
    },
  }
  expect(whyUnreadable({ b: {}, broken }, read)).toContain('mine')
  expect(whyUnreadable({ broken }, read)).toContain('mine')
})
