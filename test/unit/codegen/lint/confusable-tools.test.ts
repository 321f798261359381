import { expect, test, vi } from 'vitest'
import { confusableTools } from '../../../../codegen/lint/confusable-tools.ts'
import type { Model } from '../../../../codegen/model.ts'

test('FIND-3 the parameters of each Tool are read once, and not for each pair of Tools', () => {
  const tools = Array.from({ length: 100 }, (_, index) => ({
    name: `listAdvisories${index}`,
    schema: {
      type: 'object',
      description: `Lists the advisories that somebody has published, by ${index}.`,
      properties: { text: { type: 'string' }, count: { type: 'integer' } },
    },
  }))
  const sorting = vi.spyOn(Array.prototype, 'sort')
  confusableTools({ tools, definitions: { whole: {} } } as unknown as Model)
  const sorted = sorting.mock.calls.length
  sorting.mockRestore()
  // Pairs are nearly five thousand.
  expect(sorted).toBeLessThan(10 * tools.length)
})
