import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Agent, type AgentResult, type Turn } from 'callsheet/agent'
import { type ScriptedAnswer, scriptedModel } from 'callsheet/testing'
import { calls, Tool } from '../../generated/index.js'
import { type CountTokens, tokenCounter } from './tokens.js'
import '../sample/activities/notes.js'
import '../sample/activities/text-files.js'

const texts = fileURLToPath(new URL('../sample/texts', import.meta.url))

/** The task for both ways. */
export const lookUpTask = 'Find the line on the deepest fjord, check it in its file, and make a note of it.'

/** One way of solving the task: the result of the loop, and the notes that it wrote. */
export interface Way {
  readonly result: AgentResult<string>
  readonly note: string
  /** False if no tokenizer is installed; usage is then 0. */
  readonly isCounted: boolean
}

type Script = (notes: string) => readonly ScriptedAnswer[]

/** One Call per turn: the model copies each result into the next Call. The fourth turn answers. */
const stepByStep: Script = (notes) => {
  const place = { file: 'fjords.md', line: 6 }
  const line = 'The deepest, Sognefjord, reaches 1303 metres below the sea.'
  return [
    { calls: [calls.searchText({ query: 'deepest', where: { folder: texts } })] },
    { calls: [calls.readLine({ folder: texts, place })] },
    { calls: [calls.appendNote({ file: notes, note: line })] },
    { output: 'The line is noted.' },
  ]
}

/** All Calls and the answer in one turn, connected by References. */
const byPlan: Script = (notes) => [
  {
    calls: [
      calls.searchText({ query: 'deepest', where: { folder: texts } }, { _outputPath: '†state.found' }),
      calls.readLine({ folder: texts, place: '†state.found.0.place' }),
      calls.appendNote({ file: notes, note: '†state.found.0.text' }),
    ],
    output: 'The line is noted.',
  },
]

/** Solves the task Call by Call: no parameter may refer to anything. */
export function solveStepByStep(onTurn?: (turn: Turn) => void): Promise<Way> {
  return solve(stepByStep, { references: 'none', onTurn })
}

/** Solves the task by one plan with References. */
export function solveByPlan(onTurn?: (turn: Turn) => void): Promise<Way> {
  return solve(byPlan, { references: 'auto', onTurn })
}

async function solve(
  script: Script,
  options: { readonly references: 'auto' | 'none'; readonly onTurn: ((turn: Turn) => void) | undefined },
): Promise<Way> {
  const folder = await mkdtemp(join(tmpdir(), 'callsheet-ways-'))
  const notes = join(folder, 'notes.md')
  const count = await tokenCounter()
  try {
    const result = await Agent<string>({
      ...options,
      model: 'script',
      client: scriptedModel(script(notes).map((answer) => counted(answer, count))),
      tools: Tool,
      only: ['searchText', 'readLine', 'appendNote'],
      context: [
        { type: 'text', text: lookUpTask },
        { type: 'input', input: { texts, notes } },
      ],
      output: { type: 'string', description: 'The answer, in one sentence.' },
    })
    return { result, note: await readFile(notes, 'utf8'), isCounted: count !== undefined }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Adds token counts to the answer: of the prompt and schema as sent, and of the answer itself. */
function counted(answer: ScriptedAnswer, count: CountTokens | undefined) {
  if (!count) return answer
  const { calls: chosen = [], output = null } = answer
  const out = count(JSON.stringify({ calls: chosen, output }))
  return ({ body }: { readonly body: object }): ScriptedAnswer => ({
    ...answer,
    usage: { in: count(JSON.stringify(body)), out },
  })
}
