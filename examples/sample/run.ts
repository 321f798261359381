import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createContext, type Outcome } from 'callsheet'
import { calls, plan, Tool } from '../../generated/index.js'
import './activities/notes.js'
import './activities/phrase-emphasis.js'
import './activities/text-files.js'

/** The results of the sample, to print or to test. */
export interface SampleRun {
  readonly outcomes: readonly Outcome[]
  /** The outputs of `Tool.all`, in the order of its Calls. */
  readonly together: readonly unknown[]
  /** The output of `Tool.any`. */
  readonly first: unknown
  /** The Messages that the Calls added to the context. */
  readonly state: unknown
}

const texts = fileURLToPath(new URL('./texts', import.meta.url))

/** Runs one Call of every kind on the texts of the sample: real files, no network, no key. */
export async function runSample(): Promise<SampleRun> {
  const outcomes: Outcome[] = []
  const forget = Tool.on('call:end', (outcome) => outcomes.push(outcome))
  const scratch = await mkdtemp(join(tmpdir(), 'callsheet-sample-'))
  try {
    const context = createContext()
    const file = join(texts, 'fjords.md')
    await Tool.run(calls.fileStats({ file }, { _outputPath: '†state.stats' }), { context })
    // A plan: the second Call waits for the place that the first finds. The compiler has checked the Reference.
    await Tool.plan(
      plan([
        {
          _tool: 'searchText',
          query: 'GLACIER',
          where: { folder: texts, extensions: ['.txt', '.md'] },
          options: { limit: 5 },
          _outputPath: '†state.found',
        },
        { _tool: 'readLine', folder: texts, place: '†state.found.0.place' },
      ]),
      { context },
    )
    // Latent: a model wrote this Call, its `_output` included; Callsheet checks both.
    await Tool.run({
      _tool: 'sentiment',
      text: 'The deepest reaches 1303 metres!',
      _output: { mood: 'positive', confidence: 0.8 },
    })
    const notes = join(scratch, 'notes.md')
    await Tool(calls.appendNote({ file: notes, note: 'Fjords are deep.' }))
    // Refused: a misspelt parameter and one of the wrong type, as a model may send them.
    await Tool.run(
      JSON.parse(`{ "_tool": "appendNote", "file": ${JSON.stringify(notes)}, "nota": "x", "note": 7 }`),
    )
    const together = await Tool.all([
      calls.PhraseEmphasis.bold({ phrase: 'fjord' }),
      calls.PhraseEmphasis.italic({ phrase: 'glacier' }),
    ])
    const first = await Tool.any([
      calls.fileStats({ file: join(texts, 'missing.md') }),
      calls.fileStats({ file: join(texts, 'glaciers.txt') }),
    ])
    return { outcomes, together, first, state: context.read('†state') }
  } finally {
    forget()
    await rm(scratch, { recursive: true, force: true })
  }
}
