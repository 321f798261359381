// Mutation testing: every small change of the core's code that no test notices is a test that is missing.
// One folder or file at a time: `npm run mutation -- -m 'runtime/context/reference.ts'`.
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  mutate: ['runtime/context/*.ts', 'runtime/call/*.ts'],
  coverageAnalysis: 'perTest',
  // The words of an error are tested where they matter; a changed word is no changed behaviour.
  mutator: { excludedMutations: ['StringLiteral'] },
  ignoreStatic: true,
  concurrency: 1,
  timeoutMS: 10_000,
  reporters: ['clear-text', 'json', 'progress-append-only'],
  clearTextReporter: { allowColor: false, reportTests: false },
  jsonReporter: { fileName: '.callsheet/mutation.json' },
  tempDirName: '.callsheet/mutation',
  // TypeScript 7 has no interface in JavaScript for Stryker to rewrite a tsconfig with; ours needs none.
  tsconfigFile: 'none',
  ignorePatterns: [
    'dist',
    'bench',
    'docs',
    'examples',
    'test/engines',
    'test/interop',
    'test/mutation/node_modules',
  ],
  disableTypeChecks: false,
  allowConsoleColors: false,
}
