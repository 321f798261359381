import { createRegistry, tool } from 'callsheet'
import { Type } from 'typebox'

const _outputPath = Type.Optional(Type.String())

const findOrder = tool(
  'findOrder',
  {
    number: Type.Integer(),
    _outputPath,
    _output: Type.Object({ number: Type.Integer(), customer: Type.String(), total: Type.Number() }),
  },
  { description: 'Looks an order up.', effects: 'read' },
)

const refund = tool(
  'refund',
  {
    order: Type.Integer(),
    amount: Type.Number({ exclusiveMinimum: 0 }),
    _outputPath,
    _output: Type.String(),
  },
  { description: 'Pays money back.', effects: 'write' },
)

const reply = tool(
  'reply',
  { to: Type.String(), text: Type.String({ maxLength: 500 }), _output: Type.String() },
  { description: 'Answers the customer.', effects: 'write' },
)

// Latent: the model judges the message itself, and its output is checked like any other.
const triage = tool(
  'triage',
  {
    message: Type.String(),
    _activity: Type.Literal(''),
    _output: Type.Object({ topic: Type.Enum(['refund', 'delivery', 'other']), urgent: Type.Boolean() }),
  },
  { description: 'Says what a message is about.', effects: 'read' },
)

export const { Tool, Activity } = createRegistry({ tools: { findOrder, refund, reply, triage } })

const orders = [
  { number: 4711, customer: 'Ada', total: 30 },
  { number: 4712, customer: 'Bob', total: 480 },
]

Activity.register('findOrder', ({ number }) => {
  const order = orders.find((each) => each.number === number)
  if (order === undefined) throw new Error(`there is no order ${number}`)
  return order
})
// run.id is the same for every attempt at a Call: use it as the payment provider's idempotency key.
Activity.register(
  'refund',
  ({ order, amount }, _tool, _context, run) => `${amount} € for ${order}, as ${run.id}`,
)
Activity.register('reply', ({ to }) => `sent to ${to}`)
