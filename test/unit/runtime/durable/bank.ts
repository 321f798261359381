import { createRegistry, type Registry } from 'callsheet'

const number = { type: 'number' } as const
const text = { type: 'string' } as const

function tool(
  name: string,
  effects: 'read' | 'write' | undefined,
  parameters: object,
  output: object = number,
) {
  return {
    type: 'object',
    ...(effects && { effects }),
    properties: { _tool: { const: name }, ...parameters, _outputPath: text, _output: output },
    required: ['_tool', ...Object.keys(parameters)],
    additionalProperties: false,
  } as const
}

const tools = {
  add: tool('add', 'read', { left: number, right: number }),
  pay: tool('pay', 'write', { amount: number }),
  note: tool('note', undefined, { line: text }, text),
  hang: tool('hang', 'read', { name: text }, text),
  fail: tool('fail', 'read', { name: text }, text),
  odd: tool('odd', 'read', {}, {}),
  keep: tool('keep', 'read', { value: {} }, text),
  file: {
    ...tool('file', 'read', { line: text }, text),
    properties: {
      ...tool('file', 'read', { line: text }, text).properties,
      _outputPath: { const: '†state.filed' },
    },
  },
  audit: {
    ...tool('audit', 'read', { line: text }, text),
    properties: {
      ...tool('audit', 'read', { line: text }, text).properties,
      _scopes: { const: ['†state.open'] },
    },
  },
} as const

export interface Bank extends Registry {
  /** What the Activities did, in order. */
  readonly did: string[]
}

/** A registry whose Activities remember what they did. */
export function bank(): Bank {
  const registry = createRegistry({ tools })
  const { Activity } = registry
  const did: string[] = []
  Activity.register('add', ({ left, right }) => {
    did.push(`add ${left} ${right}`)
    return (left as number) + (right as number)
  })
  Activity.register('pay', ({ amount }) => {
    did.push(`pay ${amount}`)
    return amount
  })
  Activity.register('note', ({ line }) => {
    did.push(`note ${line}`)
    return line
  })
  Activity.register('hang', async ({ name }, _tool, _context, run) => {
    did.push(`hang ${name}`)
    await new Promise((_, reject) => {
      run.signal.addEventListener('abort', () => {
        did.push(`stopped ${name}`)
        reject(run.signal.reason)
      })
    })
  })
  Activity.register('fail', ({ name }) => {
    did.push(`fail ${name}`)
    throw new Error('the disk is full')
  })
  Activity.register('odd', () => 10n as never)
  Activity.register('keep', () => 'kept')
  Activity.register('file', ({ line }) => line)
  Activity.register('audit', ({ line }) => line)
  return { ...registry, did }
}
