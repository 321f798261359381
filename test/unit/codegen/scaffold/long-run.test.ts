import { rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../runs.ts'
import { callsheet, definition, project } from '../cli/in-terminal.ts'
import { contents, fill } from '../write/temporary-folder.ts'

const names = ['alpha', 'beta', 'gamma', 'delta']

/** What a person does to a definition between two runs, and to an implementation. */
const edit = fc.record({
  does: fc.constantFrom('add', 'rename', 'remove', 'break', 'mend', 'empty', 'write', 'write', 'move'),
  name: fc.constantFrom(...names),
  other: fc.constantFrom(...names),
  merge: fc.boolean(),
})

type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never

/** Lines that the user wrote, by file: no command may ever lose one. */
class Project {
  readonly folder: string = project({ 'definitions/shared.ts': definition('shared') })
  readonly mine = new Map<string, string[]>()
  #written = 0

  async play({ does, name, other, merge }: Edit): Promise<void> {
    const file = `definitions/${name}.ts`
    const activity = `activities/${name}.ts`
    const text = contents(this.folder)
    if (does === 'add' || does === 'mend') fill(this.folder, { [file]: definition(name) })
    if (does === 'rename' && text[file]) {
      rmSync(join(this.folder, file))
      fill(this.folder, { [`definitions/${other}.ts`]: definition(other) })
    }
    if (does === 'remove') rmSync(join(this.folder, file), { force: true })
    if (does === 'break') fill(this.folder, { [file]: 'export const broken = {' })
    if (does === 'write') this.#write(activity, text[activity] ?? '')
    if (does === 'empty' && text[activity] !== undefined)
      this.#replace(
        activity,
        "import { join } from 'node:path'\n\nexport const path = join('a', 'b') // mine\n",
      )
    if (does === 'move' && text[activity] !== undefined) {
      this.#replace(`activities/${name}-${other}.ts`, text[activity])
      this.#replace(activity, '// moved\nexport {}\n')
    }
    await callsheet(this.folder, ['generate', '--no-cache'])
    await callsheet(this.folder, merge ? ['scaffold', '--merge', '--yes'] : ['scaffold'])
  }

  /** Adds a line of the user's own to a file: before what is there, in the middle or behind it. */
  #write(path: string, text: string): void {
    this.#written += 1
    const lines = text.split('\n')
    lines.splice((this.#written * 7) % (lines.length + 1), 0, `// line ${this.#written} of the user`)
    this.#replace(path, lines.join('\n'))
  }

  #replace(path: string, text: string): void {
    fill(this.folder, { [path]: text })
    this.mine.set(path, text.split('\n'))
  }

  /** What is no longer there, or no longer in its order. */
  lost(): string[] {
    const now = contents(this.folder)
    return [...this.mine].flatMap(([path, lines]) => {
      let from = 0
      const there = (now[path] ?? '').split('\n')
      return lines.filter((line) => {
        const at = there.indexOf(line, from)
        if (at >= 0) from = at + 1
        return at < 0
      })
    })
  }
}

const alpha = { name: 'alpha', other: 'alpha' } as const
const emptied: Edit[] = [
  { ...alpha, does: 'add', merge: false },
  { ...alpha, does: 'empty', merge: true },
]

test('GEN-5, GEN-6: random runs of edits, with generate, scaffold and merge, never lose a line of user code', async () => {
  let merged = 0
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 6, maxLength: 12 }), async (edits) => {
      const run = new Project()
      for (const each of edits) {
        await run.play(each)
        expect(run.lost()).toEqual([])
        for (const [path, text] of Object.entries(contents(run.folder))) {
          if (path.startsWith('activities/') && !run.mine.has(path)) run.mine.set(path, text.split('\n'))
          else if (run.mine.has(path) && run.mine.get(path)?.join('\n') !== text) merged += 1
        }
      }
    }),
    // The first run is one in which a file that was the user's takes in a registration.
    { numRuns: runs(6), examples: [[emptied]] },
  )
  // The runs reached what they are about: files that were the user's took in registrations.
  expect(merged).toBeGreaterThan(0)
})
