// Writes two versions of an output folder in turn until it is killed; `two-runs.test.ts` starts it.
import { realFileSystem } from '../../../../codegen/write/file-system.ts'
import { writeFiles } from '../../../../codegen/write/write.ts'
import { source, withManifest } from './generated-files.ts'

const [, , folder = ''] = process.argv

function filesOf(version: number) {
  const numbered = Array.from({ length: 150 }, (_, index) =>
    source(`tools/t${index}.ts`, `export const v = ${version}`),
  )
  return withManifest(...numbered, source(`only-in-${version}.ts`, ''), {
    path: `only-in-${version}.json`,
    text: `${version}\n`,
  })
}

process.stdout.write('begun\n')
for (let round = 0; ; round += 1) {
  await writeFiles(filesOf((round % 2) + 1), { absolute: folder, shown: 'out' }, realFileSystem)
}
