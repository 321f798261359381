import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Report } from '../../../../codegen/report/report.ts'
import { isRelevant, type WatchScope, watchScope } from '../../../../codegen/watch/scope.ts'
import { fill, temporaryFolder } from '../write/temporary-folder.ts'

const scope: WatchScope = {
  folders: new Set(),
  files: new Set(['/p/callsheet.config.ts', '/p/shared/a.ts', '/p/generated/types.ts']),
  definitions: ['/p/definitions', '/p/more/tools.ts'],
  sourceFolders: new Set<string>(),
  passedNames: new Set<string>(),
  outputs: ['/p/generated'],
}

describe('GEN-3: what wakes --watch', () => {
  const cases: { path: string; want: boolean }[] = [
    { path: '/p/callsheet.config.ts', want: true },
    { path: '/p/shared/a.ts', want: true },
    { path: '/p/shared/b.ts', want: false },
    { path: '/p/definitions/x/new.ts', want: true },
    { path: '/p/definitions', want: true },
    { path: '/p/more', want: true },
    { path: '/p/more/tools.ts', want: true },
    { path: '/p/more/other.ts', want: false },
    { path: '/p/definitions/.a.ts.swp', want: false },
    { path: '/p/definitions/a.ts~', want: false },
    { path: '/p/definitions/4913', want: false },
    { path: '/p/generated/types.ts', want: false },
    { path: '/p/generated/tools/a.ts', want: false },
    { path: '/p/README.md', want: false },
  ]
  test.each(cases)('$path: $want', ({ path, want }) => {
    expect(isRelevant(path, scope)).toBe(want)
  })

  test('a run that failed keeps what the run before it had read', () => {
    const folder = temporaryFolder()
    fill(folder, { 'definitions/a.ts': '', 'shared/b.ts': '' })
    const report: Report = {
      ok: true,
      findings: [],
      changes: [],
      unchanged: 0,
      tools: 0,
      inputs: [join(folder, 'shared/b.ts')],
      sourceFolders: [],
      passedNames: [],
      definitions: [join(folder, 'definitions')],
      implementations: [],
      outputs: [join(folder, 'generated')],
    }
    const options = { cwd: folder }
    const good = watchScope(options, report, undefined)
    const failures = [{ ...report, ok: false, inputs: [], definitions: [] }, undefined]
    for (const failed of failures) {
      const after = watchScope(options, failed, good)
      expect(after.files).toContain(join(folder, 'shared/b.ts'))
      expect(after.folders).toContain(join(folder, 'definitions'))
    }
    const mended = watchScope(options, { ...report, inputs: [] }, good)
    expect(mended.files).not.toContain(join(folder, 'shared/b.ts'))
  })
})
