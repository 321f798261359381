import { expect, test } from 'vitest'
import type { Call } from '../../../../runtime/context/message.ts'
import { plan } from '../../../../runtime/plan/plan.ts'

/** A trip: facts are gathered side by side, a booking may fail, and everything ends in one letter. */
const trip: Call[] = [
  { _tool: 'findTrains', from: '†input.home', to: '†input.city', _outputPath: '†state.trains' },
  { _tool: 'findHotels', city: '†input.city', nights: '†input.nights', _outputPath: '†state.hotels' },
  { _tool: 'weatherCheck', location: '†input.city', _outputPath: '†state.forecast && †audit.forecast' },
  { _tool: 'choose', options: '†state.trains', _outputPath: '†state.train' },
  { _tool: 'choose', options: '†state.hotels', _outputPath: '†state.hotel' },
  { _tool: 'book', what: '†state.train.id', _outputPath: '†state.ticket || †state.trouble.ticket' },
  { _tool: 'book', what: '†state.hotel.id', _outputPath: '†state.room || †state.trouble.room' },
  {
    _tool: 'packingList',
    forecast: '†state.forecast',
    nights: '†input.nights',
    _outputPath: '†state.packing',
  },
  { _tool: 'apologise', for: '†state.trouble.ticket || †state.trouble.room', _outputPath: 'apology' },
  {
    _tool: 'summary',
    parts: ['†state.ticket', '†state.room', '†state.packing'],
    _outputPath: '†state.summary',
  },
  {
    _tool: 'translate',
    text: '†state.summary || †state.apology',
    to: '†input.language',
    _outputPath: '†state.letter',
  },
  { _tool: 'PhraseEmphasis.bold', phrase: '†state.letter.subject', note: 'say "hello" <now>' },
]

test('TYPE-3 the graph of a plan of twelve steps, with fan-out and alternatives', async () => {
  await expect(plan(trip).mermaid()).toMatchFileSnapshot('golden/trip.mmd')
})

test('TYPE-3 no text of a Call ends a label or a line', () => {
  const text = plan([{ _tool: 'a"]\nx[`<b>#', odd: `†input.'"|]'` }]).mermaid()
  expect(text.split('\n')).toHaveLength(5)
  expect(text).not.toMatch(/[`<]|a"/)
})
