import { join } from 'node:path'
import { type ScriptedTurn, scriptedModel, type TestModel } from 'callsheet/testing'
import { calls } from '../../generated/index.js'

/** The paths that the scripted model uses. */
export interface Places {
  readonly texts: string
  readonly notes: string
}

/** The scripted model's answers, turn by turn. The Calls are typed: a wrong one would not compile. */
export function scriptFor({ texts, notes }: Places): TestModel {
  const turns: ScriptedTurn[] = [
    {
      calls: [
        calls.searchText({ query: 'deepest', where: { folder: texts } }, { _outputPath: '†state.found' }),
        // Waits for the search, because it reads what the search writes.
        calls.PhraseEmphasis.bold({ phrase: '†state.found.0.text' }),
        // Fails; the model reads why in its next turn.
        calls.fileStats({ file: join(texts, 'fjord.md') }),
      ],
      usage: { in: 1210, out: 160 },
    },
    {
      calls: [
        calls.fileStats({ file: join(texts, 'fjords.md') }),
        // Latent: no Activity runs, the model gives the output itself, and it is checked like any other.
        { _tool: 'sentiment', text: 'The deepest!', _output: { mood: 'positive', confidence: 0.8 } },
      ],
      usage: { in: 1480, out: 90 },
    },
    {
      // Writes, so `confirm` is called before it runs.
      calls: [calls.appendNote({ file: notes, note: 'Sognefjord reaches 1303 metres below the sea.' })],
      usage: { in: 1610, out: 60 },
    },
    { output: 'The deepest fjord is Sognefjord, at 1303 metres; it is noted.', usage: { in: 1690, out: 30 } },
  ]
  return scriptedModel(turns)
}
