import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { NotRun } from './test/not-run.ts'

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const report = process.env.CALLSHEET_TEST_REPORT

/**
 * Tests that leave the process as they found it, and count nothing of it: their files share workers, which load the sources
 * once. All others have a process each, such as `faults/agent`, which counts open sockets.
 */
const together = [
  'test/unit/runtime/!(restate|temporal)/**/*.test.ts',
  'test/unit/codegen/!(budget|cli|init|lint|scaffold|watch|write)/**/*.test.ts',
  'test/{api,conformance,imports,security}/**/*.test.ts',
  'test/faults/!(agent).test.ts',
  'test/docs/!(blocks|examples|recipes|skill|workflows).test.ts',
  'test/fuzz/*.test.ts',
]
const installed = 'test/package/**/*.test.ts'
/** Tests that mostly wait for other processes (the command, compilers, editors, examples), and those of what is large. */
const processes = [
  'test/types/{completions,costs,go-to-definition,options,portable}.test.ts',
  'test/conformance/real-tools/*.test.ts',
  'test/docs/{blocks,examples,recipes,skill,typed-messages}.test.ts',
  'test/unit/codegen/{init,scaffold}/*.test.ts',
  'test/unit/codegen/cli/{completion,generate,process,serve-and-call}.test.ts',
  'test/unit/codegen/lint/lint.test.ts',
  'test/unit/codegen/diff/diff-command.test.ts',
  'test/unit/codegen/functions/{cost,generated,refused}.test.ts',
  'test/unit/codegen/print/types-file.test.ts',
  'test/unit/codegen/write/two-runs.test.ts',
  'test/fuzz/{functions,tool-uses}.test.ts',
  'test/unit/codegen/large-definitions.test.ts',
  'test/unit/codegen/diff/containment.test.ts',
  'test/unit/codegen/import/large-sources.test.ts',
  'test/unit/runtime/call/large.test.ts',
  'test/unit/runtime/context/state/many-reads.test.ts',
  'test/unit/runtime/agent/processes.test.ts',
  'test/unit/runtime/server/{load,stdio}.test.ts',
]
const notTests = ['**/node_modules/**']

/** Unit tests run on the sources; what must hold of the built package is tested on `dist/` by name. */
export default defineConfig({
  resolve: {
    alias: [
      { find: /^callsheet$/, replacement: source('runtime/index.ts') },
      { find: /^callsheet\/codegen$/, replacement: source('codegen/index.ts') },
      { find: /^callsheet\/(.*)$/, replacement: source('runtime/$1.ts') },
    ],
  },
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'together', include: together, exclude: [...notTests, ...processes], isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'apart',
          include: ['test/**/*.test.ts'],
          exclude: [...notTests, ...together, installed, ...processes],
        },
      },
      // Not part of `npm test`, which people wait for; `.ci/run` runs them.
      { extends: true, test: { name: 'processes', include: processes, exclude: notTests } },
      // Not part of `npm test`: npm packs and installs for minutes.
      { extends: true, test: { name: 'installed', include: [installed], exclude: notTests } },
    ],
    // Guards against hanging and nothing else: machines that do other things meanwhile are slow, not broken.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    // Much of the time goes to waiting, for child processes (npm, tsc) and limits, so that three workers pay even on two cores.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    coverage: {
      provider: 'v8',
      include: ['runtime/**/*.ts', 'codegen/**/*.ts'],
      reporter: ['text-summary', 'json-summary', 'html'],
      reportOnFailure: true,
    },
    // `.ci/run` counts single tests from this file.
    reporters: report
      ? ['default', new NotRun(), ['json', { outputFile: report }]]
      : ['default', new NotRun()],
  },
})
