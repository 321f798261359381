import { createRegistry, type Registry, type RegistryOptions } from 'callsheet'

const actions =
  'create read update delete list archive restore share rename copy move merge split export import print sign approve reject assign tag rate translate summarize schedule'.split(
    ' ',
  )
const things =
  'invoice contract ticket customer order shipment refund payment meeting calendar message mailbox document folder photo video song playlist recipe menu flight hotel room car taxi train employee salary vacation candidate lesson exam student patient prescription server database backup alarm sensor'.split(
    ' ',
  )

const text = (description: string) => ({ type: 'string', description })

function toolOf(action: string, thing: string) {
  const name = `${thing}.${action}`
  return {
    type: 'object',
    description: `Lets you ${action} one ${thing} of the company, with a note of who asked for it and why.`,
    effects: action === 'read' || action === 'list' ? 'read' : 'write',
    properties: {
      _tool: { const: name },
      id: text(`The number of the ${thing}.`),
      reason: text('Why it is done, for the log.'),
      priority: { enum: ['low', 'normal', 'high'] },
      notify: { type: 'array', items: { type: 'string' } },
      _output: { type: 'string' },
    },
    required: ['_tool', 'id'],
    additionalProperties: false,
  } as const
}

/** A registry of 1,000 Tools, and the Calls that their Activities have run. */
export function registryOfMany(options: RegistryOptions = {}): Registry & { ran: string[] } {
  const schemas = things.flatMap((thing) => actions.map((action) => toolOf(action, thing)))
  const tools = Object.fromEntries(schemas.map((schema) => [schema.properties._tool.const, schema]))
  const registry = createRegistry({ tools, ...options })
  const ran: string[] = []
  for (const name of Object.keys(tools)) {
    registry.Activity.register(name, ({ id }) => {
      ran.push(`${name} ${id}`)
      return `${name} done`
    })
  }
  return { ...registry, ran }
}
