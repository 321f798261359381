// How soon an editor completes in a project of tools of real size: those of a server in use where they are at hand, else as
// many of the corpus.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTools, realTools } from '../corpus.mjs'
import { spread } from '../measure.mjs'
import { strictest } from './compile.mjs'
import { makeProject } from './project.mjs'
import { LanguageServer } from './tsserver.mjs'

const rounds = 5

/**
 * Milliseconds by the clock from asking to having them, after an edit: what somebody who types waits. Ask a quiet machine.
 *
 * @returns {AsyncGenerator<{ name: string, milliseconds: number }>}
 */
export async function* completionTimes() {
  const project = await makeProject(117, true, realTools() ?? makeTools(117))
  const { name } = project.tools[58]
  const file = join(project.folder, 'use-completion.ts')
  writeFileSync(
    join(project.folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: strictest, files: ['use-completion.ts'] }),
  )
  const cases = {
    "a Tool's name": { line: "Tool({ _tool: '' })", marker: "Tool({ _tool: '", wants: name },
    "a run's Tool": { line: "Tool.run({ _tool: '' })", marker: "Tool.run({ _tool: '", wants: name },
    'a parameter': {
      line: `Tool({ _tool: '${name}',  })`,
      marker: `Tool({ _tool: '${name}', `,
      wants: Object.keys(project.tools[58].parameters.properties)[0],
    },
    "an Activity's name": { line: "Activity.register('')", marker: "Activity.register('", wants: name },
  }
  for (const [what, { line, marker, wants }] of Object.entries(cases)) {
    writeFileSync(
      file,
      `import { Activity, Tool } from './generated/index.js'\nvoid [Activity, Tool]\n${line}\n`,
    )
    const server = new LanguageServer(file)
    try {
      const { names } = await server.complete(marker)
      if (!names.includes(wants)) throw new Error(`no completion "${wants}" after ${marker}`)
      const times = []
      for (let round = 0; round < rounds; round++) {
        server.edit()
        const { milliseconds } = await server.complete(marker)
        times.push(milliseconds)
      }
      yield { name: what, milliseconds: spread(times).median }
    } finally {
      server.close()
    }
  }
}
