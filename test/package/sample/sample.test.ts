import { describe, expect, test } from 'vitest'
import { runSample, type SampleRun } from '../../../examples/sample/run.ts'

/** The whole truth about the sample: an Activity that does less, or something else, fails here. */
const wanted = [
  { tool: 'fileStats', mode: 'explicit', status: 'succeeded', output: { lines: 6, words: 33, bytes: 182 } },
  {
    tool: 'searchText',
    mode: 'explicit',
    status: 'succeeded',
    output: [
      found('fjords.md', 3, 'A fjord is a long, narrow inlet with steep cliffs, made by a glacier.'),
      found('glaciers.txt', 1, 'A glacier is ice that moves under its own weight.'),
      found('glaciers.txt', 2, 'Most of what a glacier carries ends as a moraine.'),
    ],
  },
  {
    tool: 'readLine',
    mode: 'explicit',
    status: 'succeeded',
    output: 'A fjord is a long, narrow inlet with steep cliffs, made by a glacier.',
  },
  { tool: 'sentiment', mode: 'latent', status: 'succeeded', output: { mood: 'positive', confidence: 0.8 } },
  { tool: 'appendNote', mode: 'explicit', status: 'succeeded', output: { notes: 1 } },
  { tool: 'appendNote', mode: 'explicit', status: 'failed', error: { code: 'invalid_call' } },
  { tool: 'PhraseEmphasis.bold', mode: 'explicit', status: 'succeeded', output: '**fjord**' },
  { tool: 'PhraseEmphasis.italic', mode: 'explicit', status: 'succeeded', output: '*glacier*' },
  { tool: 'fileStats', mode: 'explicit', status: 'failed', error: { code: 'activity_failed' } },
  { tool: 'fileStats', mode: 'explicit', status: 'succeeded', output: { lines: 2, words: 20, bytes: 100 } },
]

describe('the main job', () => {
  let run: SampleRun

  test('each Call ends as it should', async () => {
    run = await runSample()
    expect(run.outcomes).toMatchObject(wanted)
    expect(run.outcomes).toHaveLength(wanted.length)
  })

  test('the refused Call says every problem and where', () => {
    const problems = run.outcomes[5]?.error?.problems
    expect(problems?.map(({ path }) => path).sort()).toEqual(['/nota', '/note'])
  })

  test('groups give tuples, writes reach the context', () => {
    expect(run.together).toEqual(['**fjord**', '*glacier*'])
    expect(run.first).toEqual({ lines: 2, words: 20, bytes: 100 })
    expect(run.state).toEqual({ stats: wanted[0]?.output, found: wanted[1]?.output })
  })
})

function found(file: string, line: number, text: string): object {
  return { place: { file, line }, text }
}
