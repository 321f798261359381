// How long an editor waits for completions in a project of many tools: of a tool's name and of a parameter's, in a
// literal Call, after an edit. Beside the same with types that TypeBox infers.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTools, typeBoxSource } from '../corpus.mjs'
import { spread } from '../measure.mjs'
import { strictest } from './compile.mjs'
import { makeProject } from './project.mjs'
import { LanguageServer } from './tsserver.mjs'

const rounds = 3

/**
 * Milliseconds by way and by what is completed, the first time and the median after an edit; and the share of the latter
 * that ours is of TypeBox's.
 */
export async function editorLatency(count) {
  const project = await makeProject(count)
  const [tool] = project.tools
  const generated = `import { calls, Tool } from './generated/index.js'
void Tool({ _tool: '' })
void Tool({ _tool: '${tool.name}',  })
void calls.${tool.name}({  })
`
  const inferred = `import { Type, type Static } from 'typebox'
${makeTools(count)
  .map(({ name, parameters }) => {
    const { properties, ...rest } = parameters
    const declared = {
      ...rest,
      required: [...rest.required, '_tool'],
      properties: { _tool: { const: name }, ...properties },
    }
    return `const ${name} = ${typeBoxSource(declared)}`
  })
  .join('\n')}
type AnyCall = ${makeTools(count)
    .map(({ name }) => `Static<typeof ${name}>`)
    .join(' | ')}
declare function Tool<Given extends AnyCall>(call: Given): Promise<Given>
void Tool({ _tool: '' })
void Tool({ _tool: '${tool.name}',  })
`
  const name = { marker: "Tool({ _tool: '", wants: tool.name }
  const parameter = {
    marker: `Tool({ _tool: '${tool.name}', `,
    wants: Object.keys(tool.parameters.properties)[0],
  }
  const built = { marker: `calls.${tool.name}({ `, wants: parameter.wants }
  const ours = await measure(project.folder, 'editor.ts', generated, { name, parameter, built })
  const theirs = await measure(project.folder, 'editor-typebox.ts', inferred, { name, parameter })
  const figures = (who, measured) =>
    Object.entries(measured).flatMap(([what, { first, afterEdit }]) => [
      [`${who}, ${labels[what]}, at first`, first],
      [`${who}, ${labels[what]}, after an edit`, afterEdit],
    ])
  const share = (what) => Number((ours[what].afterEdit / theirs[what].afterEdit).toFixed(4))
  return {
    milliseconds: Object.fromEntries([...figures('Callsheet', ours), ...figures('TypeBox Static', theirs)]),
    shares: { [labels.name]: share('name'), [labels.parameter]: share('parameter') },
  }
}

const labels = { name: "a tool's name", parameter: "a parameter's name", built: "a builder's parameter" }

async function measure(folder, file, source, completions) {
  writeFileSync(join(folder, file), source)
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: strictest, files: [file] }))
  const measured = {}
  for (const [what, { marker, wants }] of Object.entries(completions)) {
    const server = new LanguageServer(join(folder, file))
    try {
      const first = await server.complete(marker)
      if (!first.names.includes(wants)) throw new Error(`${file}: no completion "${wants}" after ${marker}`)
      const after = []
      for (let round = 0; round < rounds; round++) {
        server.edit()
        after.push((await server.complete(marker)).milliseconds)
      }
      measured[what] = { first: Math.round(first.milliseconds), afterEdit: Math.round(spread(after).median) }
    } finally {
      server.close()
    }
  }
  return measured
}
