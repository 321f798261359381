import { createRegistry, tool } from 'callsheet'
import { Type } from 'typebox'

const things = (
  'invoice order customer supplier contract employee vehicle room meeting shipment parcel ticket ' +
  'product discount voucher campaign newsletter survey complaint warranty machine sensor meter tariff ' +
  'account loan payment budget expense receipt payslip holiday shift training certificate audit ' +
  'licence server backup password'
).split(' ')

const verbs = {
  create: 'Makes a new',
  get: 'Reads one',
  list: 'Lists every',
  update: 'Changes an existing',
  cancel: 'Calls off a',
  approve: 'Agrees to a',
  reject: 'Turns down a',
  assign: 'Gives somebody a',
  archive: 'Puts away an old',
  restore: 'Brings back an archived',
  export: 'Writes to a file each',
  import: 'Reads from a file each',
  print: 'Puts on paper a',
  send: 'Mails somebody a',
  share: 'Lets others see a',
  lock: 'Forbids changes of a',
  unlock: 'Allows changes of a',
  rename: 'Gives a new name to a',
  copy: 'Makes a second',
  merge: 'Makes one of two of a kind:',
  split: 'Makes two of one',
  tag: 'Puts a label on a',
  note: 'Adds a remark to a',
  rate: 'Scores a',
  schedule: 'Plans the date of a',
}

const reads = ['get', 'list', 'export']

const named = Object.entries(verbs).flatMap(([verb, words]) =>
  things.map((thing) => {
    const name = verb + thing.charAt(0).toUpperCase() + thing.slice(1)
    const parameters = {
      id: Type.Integer({ description: `Which ${thing}` }),
      reason: Type.Optional(Type.String({ description: 'Why, for the record' })),
      _output: Type.String(),
    }
    const effects = reads.includes(verb) ? 'read' : 'write'
    return [name, tool(name, parameters, { description: `${words} ${thing}.`, effects })] as const
  }),
)

export const { Tool, Activity } = createRegistry({ tools: Object.fromEntries(named) })

for (const [name] of named) Activity.register(name, ({ id }) => `${name} ${id}: done`)
