// How soon an editor completes in a project of tools of real size: those of a server in use where they are at hand, else as
// many of the corpus.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTools, realTools } from '../corpus.mjs'
import { spread } from '../measure.mjs'
import { strictest } from './compile.mjs'
import { makeProject } from './project.mjs'
import { LanguageServer } from './tsserver.mjs'

const rounds = 15
const generated = "import { Activity, Tool } from './generated/index.js'\nvoid [Activity, Tool]\n"

/**
 * After an edit, milliseconds by the clock from asking to having them, which is what somebody who types waits, on a quiet
 * machine; and of the processors, which says the same on a machine that does other work. Beside them what the compiler
 * itself takes: for a function over the bare union of the same Calls, and where there are no tools at all.
 *
 * @returns {AsyncGenerator<{ name: string, milliseconds: number, processor: number | undefined }>}
 */
export async function* completionTimes() {
  const project = await makeProject(117, true, realTools() ?? makeTools(117))
  const { name } = project.tools[58]
  const file = join(project.folder, 'use-completion.ts')
  writeFileSync(
    join(project.folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: strictest, files: ['use-completion.ts'] }),
  )
  const parameter = Object.keys(project.tools[58].parameters.properties)[0]
  const bare =
    "import type { Call } from './generated/types.js'\ndeclare function send(call: Call): void\nvoid send\n"
  const cases = {
    "a Tool's name": { line: "Tool({ _tool: '' })", marker: "Tool({ _tool: '", wants: name },
    "a run's Tool": { line: "Tool.run({ _tool: '' })", marker: "Tool.run({ _tool: '", wants: name },
    'a parameter': {
      line: `Tool({ _tool: '${name}',  })`,
      marker: `Tool({ _tool: '${name}', `,
      wants: parameter,
    },
    "an Activity's name": { line: "Activity.register('')", marker: "Activity.register('", wants: name },
    'the floor: a name in the bare union': {
      head: bare,
      line: "send({ _tool: '' })",
      marker: "send({ _tool: '",
      wants: name,
    },
    'the floor: a parameter in the bare union': {
      head: bare,
      line: `send({ _tool: '${name}',  })`,
      marker: `send({ _tool: '${name}', `,
      wants: parameter,
    },
    'the floor: no tools': { head: '', line: "const a: 'b' = ''", marker: "const a: 'b' = '", wants: 'b' },
  }
  for (const [what, { head = generated, line, marker, wants }] of Object.entries(cases)) {
    writeFileSync(file, `${head}${line}\n`)
    const server = new LanguageServer(file)
    try {
      const { names } = await server.complete(marker)
      if (!names.includes(wants)) throw new Error(`no completion "${wants}" after ${marker}`)
      const [times, before] = [[], server.processorTime()]
      for (let round = 0; round < rounds; round++) {
        server.edit()
        const { milliseconds } = await server.complete(marker)
        times.push(milliseconds)
      }
      const used = server.processorTime()
      const processor = used === undefined ? undefined : (used - before) / rounds
      yield { name: what, milliseconds: spread(times).median, processor }
    } finally {
      server.close()
    }
  }
}
