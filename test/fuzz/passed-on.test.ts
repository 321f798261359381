import fc from 'fast-check'
import { expect } from 'vitest'
import { findRegistrations } from '../../codegen/registrations/find-registrations.ts'
import { fill, temporaryFolder } from '../unit/codegen/write/temporary-folder.ts'
import { fuzz } from './campaign.ts'

/** What a file exports: everything of another file, or a name, from one of the sets or from another file. */
type Export =
  | { readonly all: number }
  | { readonly name: string; readonly set: string }
  | { readonly name: string; readonly from: number; readonly as: string }

const files = 6
const own = './generated/index.js'
const other = './shop/generated/index.js'
const name = fc.constantFrom('work', 'labour', 'task')
const file = fc.nat({ max: files - 1 })
const exported: fc.Arbitrary<Export> = fc.oneof(
  fc.record({ all: file }),
  fc.record({ name, set: fc.constantFrom(own, other) }),
  fc.record({ name, from: file, as: name }),
)
const project = fc.record({
  exports: fc.array(fc.array(exported, { maxLength: 3 }), { minLength: files, maxLength: files }),
  uses: fc.array(fc.record({ name, from: file }), { minLength: 1, maxLength: 8 }),
})

fuzz(
  'ACT-3b files pass an Activity on to each other, in circles too: a registration is found if its name leads to the set',
  150,
  project,
  async ({ exports, uses }) => {
    const root = temporaryFolder()
    const texts = exports.map((all, index) => [`f${index}.ts`, all.map(lineOf).join('')])
    const registering = uses.map(({ name, from }, index) => [
      `use${index}.ts`,
      `import { ${name} } from './f${from}.js'\n${name}.register('t${index}', run)\n`,
    ])
    fill(root, Object.fromEntries([...texts, ...registering]))
    const scope = {
      root,
      output: 'generated',
      otherOutputs: ['shop/generated'],
      activitiesFolder: 'activities',
    }
    const want = uses.flatMap(({ name, from }, index) =>
      setsOf(exports, from, name, new Set()).includes(own) ? [`t${index}`] : [],
    )
    expect(findRegistrations(scope).registrations.map(({ name }) => name)).toEqual(want)
  },
)

function lineOf(each: Export): string {
  if ('all' in each) return `export * from './f${each.all}.js'\n`
  const [from, imported] = 'set' in each ? [each.set, 'Activity'] : [`./f${each.from}.js`, each.name]
  return `export { ${imported} as ${'set' in each ? each.name : each.as} } from '${from}'\n`
}

/** Returns the sets whose Activity a name of a file's exports can be. */
function setsOf(
  all: readonly (readonly Export[])[],
  file: number,
  name: string,
  seen: Set<string>,
): string[] {
  const step = `${file} ${name}`
  if (seen.has(step)) return []
  seen.add(step)
  return (all[file] ?? []).flatMap((each) => {
    if ('all' in each) return setsOf(all, each.all, name, seen)
    if ('set' in each) return each.name === name ? [each.set] : []
    return each.as === name ? setsOf(all, each.from, each.name, seen) : []
  })
}
