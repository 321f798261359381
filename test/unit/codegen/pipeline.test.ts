import { expect, test } from 'vitest'
import { type Built, type Loaded, loadPhases, type Phases } from '../../../codegen/pipeline.ts'

test('leaving a phase out does not compile: each takes what the one before it gives', async () => {
  const phases: Phases = await loadPhases()
  const wrong = {
    emitUnchecked: (built: Built) =>
      // @ts-expect-error: what was built has to be checked before it is emitted
      phases.emit(built),
    // @ts-expect-error: what was loaded has to be built before it is checked
    checkUnbuilt: (loaded: Loaded) => phases.check(loaded),
    // @ts-expect-error: what was loaded has to be built and checked before it is emitted
    emitLoaded: (loaded: Loaded) => phases.emit(loaded),
  }
  expect(Object.keys(wrong)).toHaveLength(3)
})
