import { expect, test } from 'vitest'
import { ourSources } from '../../../bench/our-sources.mjs'

test('the suites find the parts of this checkout that they measure', async () => {
  expect(await ourSources()).toHaveProperty('interpretCheck')
})
