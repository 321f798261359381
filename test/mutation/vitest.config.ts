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

// Without the projects, whose files would all run.
const { projects: _, ...test } = project.test ?? {}

export default defineConfig({
  ...project,
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: { ...test, include: subjects.map((subject) => `test/${subject}/**/*.test.ts`) },
})
