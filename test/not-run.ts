import type { Reporter, TestModule } from 'vitest/node'

/** Names every test that did not run, at the end of a run, so that nobody takes a skipped test for a passed one. */
export class NotRun implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) =>
      [...module.children.allTests('skipped')].map((test) => `${module.relativeModuleId}: ${test.fullName}`),
    )
    if (skipped.length === 0) return
    console.log(`\nNot run (${skipped.length}); CONTRIBUTING.md says what each of them needs:`)
    for (const name of skipped.sort()) console.log(`  ${name}`)
  }
}
