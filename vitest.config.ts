import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const report = process.env.CALLSHEET_TEST_REPORT

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
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    testTimeout: 20_000,
    // `.ci/run` counts single tests from this file.
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
  },
})
