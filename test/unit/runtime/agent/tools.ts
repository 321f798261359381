import { createRegistry, type Registry, type RegistryOptions } from 'callsheet'

const number = { type: 'number' }

/** Tools of every kind of effect, and one of each way to run. */
export const tools = {
  add: {
    type: 'object',
    description: 'Adds two numbers.',
    effects: 'read',
    properties: {
      _tool: { const: 'add' },
      left: number,
      right: number,
      _outputPath: { type: 'string' },
      _output: number,
    },
    required: ['_tool', 'left', 'right'],
    additionalProperties: false,
  },
  pay: {
    type: 'object',
    effects: 'write',
    properties: { _tool: { const: 'pay' }, amount: number, _output: { type: 'string' } },
    required: ['_tool', 'amount'],
    additionalProperties: false,
  },
  judge: {
    type: 'object',
    description: 'Judges a text.',
    effects: 'read',
    properties: {
      _tool: { const: 'judge' },
      text: { type: 'string' },
      _output: { type: 'object', properties: { good: { type: 'boolean' } }, required: ['good'] },
    },
    required: ['_tool', 'text'],
    additionalProperties: false,
  },
} as const

/** A registry with the Tools above and what each Activity has run, in order. */
export function registryWithTools(options: RegistryOptions = {}): Registry & { ran: unknown[] } {
  const registry = createRegistry({ tools, ...options })
  const ran: unknown[] = []
  registry.Activity.register('add', ({ left, right }) => {
    ran.push(['add', left, right])
    return left + right
  })
  registry.Activity.register('pay', ({ amount }) => {
    ran.push(['pay', amount])
    return `paid ${amount}`
  })
  return { ...registry, ran }
}

export const add = (left: unknown, right: unknown, meta: object = {}) => ({
  _tool: 'add',
  left,
  right,
  ...meta,
})
export const pay = (amount: number) => ({ _tool: 'pay', amount })
