import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import project from '../../vitest.config.ts'

/** The tests that prove the runtime's core, without those of the generator, of packages and of processes. */
const subjects = [
  'unit/runtime/call',
  'unit/runtime/context',
  'unit/runtime/plan',
  'unit/runtime/registry',
  'conformance/protocol',
]

export default defineConfig({
  ...project,
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: { ...project.test, include: subjects.map((subject) => `test/${subject}/**/*.test.ts`) },
})
