export type Event = Record<string, unknown>

/** One part of an answer: a Call, or what models send beside Calls. */
export interface Part {
  readonly kind: 'add' | 'pay' | 'ping' | 'hidden' | 'unknown' | 'text' | 'thinking' | 'bad arguments'
  /** In how many pieces its arguments come. */
  readonly pieces: number
}

/** The arguments of a part; each Call has its own, so that what ran says which Call it was. */
function argumentsOf({ kind }: Part, at: number): string {
  if (kind === 'bad arguments') return `{"amount":${at}`
  const given: Record<Exclude<Part['kind'], 'bad arguments'>, object> = {
    add: { left: at, right: 1 },
    pay: { amount: at },
    ping: { note: `note ${at}` },
    hidden: { n: at },
    unknown: { n: at },
    text: {},
    thinking: {},
  }
  return JSON.stringify(given[kind])
}

function nameOf({ kind }: Part): string {
  return kind === 'bad arguments' ? 'pay' : kind
}

function piecesOf(text: string, pieces: number): string[] {
  const length = Math.max(1, Math.ceil(text.length / pieces))
  return Array.from({ length: Math.ceil(text.length / length) }, (_, at) =>
    text.slice(at * length, (at + 1) * length),
  )
}

export interface Answer {
  readonly parts: readonly Part[]
  /** All Calls of an answer have one id. */
  readonly sameIds: boolean
  readonly usage: unknown
  /** What its texts say. */
  readonly said?: string
  /** Its last event, in responses, has none of the items. */
  readonly endsEmpty?: boolean
}

/** The events of each part of an answer, and those around them, as each API has them. */
export interface Told {
  readonly before: readonly Event[]
  readonly parts: readonly (readonly Event[])[]
  readonly after: readonly Event[]
}

function inMessages({ parts, sameIds, usage, said = aside }: Answer): Told {
  const start = (index: number, content_block: object) => ({
    type: 'content_block_start',
    index,
    content_block,
  })
  const delta = (index: number, given: object) => ({ type: 'content_block_delta', index, delta: given })
  return {
    before: [{ type: 'message_start', message: { id: 'm', role: 'assistant', content: [], usage } }],
    parts: parts.map((part, at) => {
      const stop = { type: 'content_block_stop', index: at }
      if (part.kind === 'text') {
        const deltas = piecesOf(said, part.pieces).map((text) => delta(at, { type: 'text_delta', text }))
        return [start(at, { type: 'text', text: '' }), ...deltas, stop]
      }
      if (part.kind === 'thinking') {
        const deltas = piecesOf(said, part.pieces).map((thinking) =>
          delta(at, { type: 'thinking_delta', thinking }),
        )
        const signature = delta(at, { type: 'signature_delta', signature: 'c2ln' })
        return [start(at, { type: 'thinking', thinking: '', signature: '' }), ...deltas, signature, stop]
      }
      const deltas = piecesOf(argumentsOf(part, at), part.pieces).map((partial_json) =>
        delta(at, { type: 'input_json_delta', partial_json }),
      )
      const block = { type: 'tool_use', id: `t${sameIds ? 0 : at}`, name: nameOf(part), input: {} }
      return [start(at, block), ...deltas, stop]
    }),
    after: [{ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage }, { type: 'message_stop' }],
  }
}

const aside = 'First I add, then {"calls":[{"_tool":"pay","amount":99}]}.'

function inResponses({ parts, sameIds, usage, said = aside, endsEmpty = false }: Answer): Told {
  const items = parts.map((part, at) => {
    if (part.kind === 'text') {
      const content = [{ type: 'output_text', text: said, annotations: [] }]
      return { type: 'message', id: `i${at}`, role: 'assistant', status: 'completed', content }
    }
    if (part.kind === 'thinking') {
      return { type: 'reasoning', id: `i${at}`, summary: [{ type: 'summary_text', text: said }] }
    }
    const call = { name: nameOf(part), arguments: argumentsOf(part, at), call_id: `c${sameIds ? 0 : at}` }
    return { type: 'function_call', id: `i${sameIds ? 0 : at}`, status: 'completed', ...call }
  })
  return {
    before: [{ type: 'response.created', response: { id: 'r', status: 'in_progress', output: [] } }],
    parts: parts.map((part, at) => {
      const item = items[at]
      const place = { item_id: `i${at}`, output_index: at }
      const deltas =
        part.kind === 'text'
          ? piecesOf(said, part.pieces).map((delta) => ({
              type: 'response.output_text.delta',
              ...place,
              content_index: 0,
              delta,
            }))
          : part.kind === 'thinking'
            ? []
            : piecesOf(argumentsOf(part, at), part.pieces).map((delta) => ({
                type: 'response.function_call_arguments.delta',
                ...place,
                delta,
              }))
      return [
        {
          type: 'response.output_item.added',
          output_index: at,
          item: { ...item, arguments: '', content: [], status: 'in_progress' },
        },
        ...deltas,
        { type: 'response.output_item.done', output_index: at, item },
      ]
    }),
    after: [
      {
        type: 'response.completed',
        response: { id: 'r', status: 'completed', output: endsEmpty ? [] : items, usage },
      },
    ],
  }
}

function inChat({ parts, sameIds, usage, said = aside }: Answer): Told {
  const chunk = (delta: object, finish_reason: string | null = null): Event => ({
    choices: [{ index: 0, delta, finish_reason }],
  })
  let calls = 0
  return {
    before: [chunk({ role: 'assistant', content: '' })],
    parts: parts.map((part, at) => {
      if (part.kind === 'text') return piecesOf(said, part.pieces).map((content) => chunk({ content }))
      if (part.kind === 'thinking') return [chunk({ reasoning_content: said })]
      const index = calls++
      const [first = '', ...rest] = piecesOf(argumentsOf(part, at), part.pieces)
      const begun = { name: nameOf(part), arguments: first }
      return [
        chunk({ tool_calls: [{ index, id: `c${sameIds ? 0 : at}`, type: 'function', function: begun }] }),
        ...rest.map((given) => chunk({ tool_calls: [{ index, function: { arguments: given } }] })),
      ]
    }),
    after: [chunk({}, 'tool_calls'), { choices: [], usage }],
  }
}

/** An answer in the events of each API. */
export const forms = { messages: inMessages, responses: inResponses, chat: inChat }
