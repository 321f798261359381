import type { JsonSchema } from '../../runtime/schema/schema.ts'

/** A tool as `tools/list` of an MCP server gives it. */
export interface ListedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
}

/**
 * The tools of a made-up MCP server for a workshop that rents out machines: 124 of them, written the way that servers
 * in use write theirs. Open objects, required lists that are missing, enums of methods with a description of each,
 * pages with limits, unions, untyped values and texts over several lines.
 */
export function mcpServerTools(): ListedTool[] {
  return [...things.flatMap(toolsOf), ...special]
}

interface Thing {
  readonly one: string
  readonly many: string
  readonly fields: Readonly<Record<string, JsonSchema>>
  readonly needs: readonly string[]
  readonly states: readonly string[]
}

const text = (description: string, rest: JsonSchema = {}): JsonSchema => ({
  type: 'string',
  description,
  ...rest,
})
const count = (description: string, rest: JsonSchema = {}): JsonSchema => ({
  type: 'number',
  description,
  ...rest,
})
const flag = (description: string): JsonSchema => ({ type: 'boolean', description })
const list = (description: string, items: JsonSchema, rest: JsonSchema = {}): JsonSchema => ({
  type: 'array',
  description,
  items,
  ...rest,
})
const choice = (description: string, values: readonly string[]): JsonSchema => ({
  type: 'string',
  description,
  enum: [...values],
})

const site = text('Short name of the site, as in its address')
const day = text('Day in ISO 8601', { format: 'date' })
const moment = text('Time in ISO 8601, with zone', { format: 'date-time' })
const page = {
  page: count('Page number for pagination (min 1)', { minimum: 1 }),
  perPage: count('Results per page for pagination (min 1, max 100)', { minimum: 1, maximum: 100 }),
}
const address: JsonSchema = {
  type: 'object',
  description: 'Postal address',
  properties: {
    street: { type: 'string' },
    town: { type: 'string' },
    postcode: { type: 'string', pattern: '^[A-Z0-9 -]{3,10}$' },
    country: { type: 'string', minLength: 2, maxLength: 2 },
  },
  required: ['street', 'town', 'country'],
}
const money: JsonSchema = {
  type: 'object',
  properties: {
    amount: { type: 'number', minimum: 0 },
    currency: { type: 'string', enum: ['EUR', 'GBP', 'SEK', 'USD'] },
  },
  required: ['amount', 'currency'],
  additionalProperties: false,
}

const things: readonly Thing[] = [
  thing('machine', 'machines', ['idle', 'running', 'in_repair', 'retired'], ['label', 'model'], {
    label: text('Label on the machine'),
    model: text('Maker and model'),
    power: count('Rated power in kilowatts', { minimum: 0, maximum: 400 }),
    manuals: list('Links to manuals', { type: 'string', format: 'uri' }),
  }),
  thing('booking', 'bookings', ['requested', 'confirmed', 'cancelled'], ['machine', 'from', 'until'], {
    machine: text('Label of the machine'),
    from: moment,
    until: moment,
    attendees: list(
      'E-mail addresses of those who come',
      { type: 'string', format: 'email' },
      { maxItems: 12 },
    ),
  }),
  thing('member', 'members', ['trial', 'active', 'suspended'], ['name', 'email'], {
    name: text('Full name', { minLength: 1, maxLength: 120 }),
    email: text('E-mail address', { format: 'email' }),
    address,
    skills: list('What the member may use alone', {
      type: 'string',
      enum: ['lathe', 'mill', 'laser', 'kiln'],
    }),
  }),
  thing('invoice', 'invoices', ['draft', 'sent', 'paid', 'void'], ['member', 'lines'], {
    member: text('Identifier of the member', { format: 'uuid' }),
    lines: list('What is charged', {
      type: 'object',
      properties: { title: { type: 'string' }, quantity: { type: 'integer', minimum: 1 }, price: money },
      required: ['title', 'price'],
    }),
    due: day,
  }),
  thing('material', 'materials', ['in_stock', 'ordered', 'out'], ['name', 'unit'], {
    name: text('What it is'),
    unit: choice('Unit of the stock', ['kg', 'm', 'm2', 'piece']),
    stock: count('How much there is', { minimum: 0 }),
    properties: { type: 'object', description: 'Anything else that is known', additionalProperties: true },
  }),
  thing('project', 'projects', ['open', 'on_hold', 'done'], ['title'], {
    title: text('Title'),
    body: text('What is to be made.\nMarkdown is allowed, images are not.'),
    owners: list('Members who own it', { type: 'string' }, { minItems: 1, uniqueItems: true }),
    budget: { anyOf: [money, { type: 'null' }], description: 'What it may cost, or null for no limit' },
  }),
  thing('course', 'courses', ['planned', 'open', 'full', 'over'], ['title', 'starts'], {
    title: text('Title'),
    starts: moment,
    seats: { type: 'integer', description: 'Seats', minimum: 1, maximum: 40, default: 8 },
    language: text('Language of instruction', { pattern: '^[a-z]{2}(-[A-Z]{2})?$' }),
  }),
  thing('repair', 'repairs', ['reported', 'assigned', 'fixed'], ['machine', 'symptom'], {
    machine: text('Label of the machine'),
    symptom: text('What goes wrong, and when'),
    severity: choice('How bad it is', ['cosmetic', 'slows', 'stops', 'dangerous']),
    photos: list('Photos', {
      type: 'object',
      properties: { name: { type: 'string' }, data: { type: 'string' } },
    }),
  }),
  thing('message', 'messages', ['unread', 'read', 'archived'], ['to', 'body'], {
    to: {
      oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
      description: 'Who gets it',
    },
    body: text('Text', { maxLength: 4000 }),
    replyTo: { type: ['string', 'null'], description: 'Message that this one answers' },
  }),
  thing('supplier', 'suppliers', ['active', 'blocked'], ['name'], {
    name: text('Name'),
    web: text('Home page', { format: 'uri' }),
    address,
    discount: count('Percent', { minimum: 0, exclusiveMaximum: 100, multipleOf: 0.5 }),
  }),
  thing('order', 'orders', ['draft', 'placed', 'shipped', 'received'], ['supplier', 'items'], {
    supplier: text('Name of the supplier'),
    items: list('Materials and amounts', {
      type: 'object',
      properties: { material: { type: 'string' }, amount: { type: 'number', exclusiveMinimum: 0 } },
      required: ['material', 'amount'],
      additionalProperties: false,
    }),
    deliverTo: address,
  }),
  thing('sensor', 'sensors', ['online', 'silent'], ['kind', 'room'], {
    kind: choice('What it measures', ['temperature', 'humidity', 'dust', 'noise', 'current']),
    room: text('Room'),
    thresholds: {
      type: 'object',
      properties: { low: { type: 'number' }, high: { type: 'number' } },
      additionalProperties: false,
    },
    every: { type: 'integer', description: 'Seconds between readings', minimum: 5, maximum: 86400 },
  }),
  thing('room', 'rooms', ['open', 'closed'], ['name'], {
    name: text('Name'),
    floor: { type: 'integer', description: 'Floor, 0 is the street', minimum: -2, maximum: 12 },
    area: count('Square metres', { exclusiveMinimum: 0 }),
    equipment: list('What stands in it', { type: 'string' }),
  }),
  thing('key', 'keys', ['issued', 'returned', 'lost'], ['member', 'doors'], {
    member: text('Identifier of the member', { format: 'uuid' }),
    doors: list(
      'Doors that it opens',
      { type: 'string', pattern: '^D[0-9]{2}$' },
      { minItems: 1, maxItems: 20 },
    ),
    expires: day,
  }),
  thing('report', 'reports', ['queued', 'ready', 'failed'], ['kind'], {
    kind: choice('What it is about', ['usage', 'income', 'safety', 'stock']),
    from: day,
    until: day,
    options: { type: 'object', description: 'Options of that kind of report' },
  }),
  thing('design', 'designs', ['draft', 'released'], ['title', 'files'], {
    title: text('Title'),
    files: list('Drawings', {
      type: 'object',
      properties: {
        path: { type: 'string' },
        content: { type: 'string' },
        encoding: { enum: ['utf-8', 'base64'] },
      },
      required: ['path', 'content'],
    }),
    licence: text('SPDX identifier'),
    parameters: { type: 'object', additionalProperties: { type: 'number' }, description: 'Measures by name' },
  }),
  thing('timer', 'timers', ['set', 'rung'], ['at'], {
    at: moment,
    repeat: { type: ['integer', 'null'], description: 'Minutes until it rings again', minimum: 1 },
    action: { description: 'What is sent when it rings: any JSON' },
  }),
  thing('vote', 'votes', ['open', 'decided'], ['question', 'choices'], {
    question: text('Question'),
    choices: list('Possible answers', { type: 'string', minLength: 1 }, { minItems: 2, maxItems: 9 }),
    secret: flag('Whether names are hidden'),
  }),
  thing('loan', 'loans', ['out', 'back', 'overdue'], ['item', 'member'], {
    item: text('What is lent'),
    member: text('Identifier of the member', { format: 'uuid' }),
    until: day,
    deposit: money,
  }),
  thing('incident', 'incidents', ['new', 'under_review', 'closed'], ['what', 'at'], {
    what: text('What happened'),
    at: moment,
    injured: flag('Whether somebody was hurt'),
    location: {
      type: 'object',
      properties: { room: { type: 'string' }, x: { type: 'number' }, y: { type: 'number' } },
    },
  }),
]

function thing(
  one: string,
  many: string,
  states: readonly string[],
  needs: readonly string[],
  fields: Readonly<Record<string, JsonSchema>>,
): Thing {
  return { one, many, states, needs, fields }
}

/** Six tools for each kind of thing. */
function toolsOf({ one, many, fields, needs, states }: Thing): ListedTool[] {
  const id = text(`Identifier of the ${one}`)
  const state = choice(`State of the ${one}`, states)
  return [
    listed(`list_${many}`, `List the ${many} of a site. Returns the newest first.`, ['site'], {
      site,
      state,
      sort: choice('Sort order', ['created', 'updated', 'name']),
      direction: choice('Direction', ['asc', 'desc']),
      ...page,
    }),
    listed(`get_${one}`, `Get details of one ${one} by its identifier.`, ['site', 'id'], { site, id }),
    listed(
      `create_${one}`,
      `Create a ${one} in a site. Ask before you create more than one.`,
      ['site', ...needs],
      {
        site,
        ...fields,
      },
    ),
    listed(`update_${one}`, `Change a ${one}. Fields that are left out keep their value.`, ['site', 'id'], {
      site,
      id,
      state,
      ...fields,
    }),
    listed(`delete_${one}`, `Delete a ${one}. This cannot be undone.`, ['site', 'id'], {
      site,
      id,
      reason: text('Why, for the log'),
    }),
    listed(
      `search_${many}`,
      `Search the ${many} of all sites that you may see.\nUses the same words as the web page.`,
      ['query'],
      {
        query: text(`Words to look for, for example: "state:${states[0]} created:>2030-01-01"`),
        fields: list('Fields to return', { type: 'string', enum: Object.keys(fields) }),
        after: text('Cursor of the page before'),
        ...page,
      },
    ),
  ]
}

const methods = ['get_calendar', 'get_floor_plan', 'get_opening_hours', 'get_usage_by_day'] as const

const special: readonly ListedTool[] = [
  {
    name: 'get_me',
    description:
      "Get details of the authenticated user. Use this when a request is about the user's own profile.",
    inputSchema: { type: 'object', properties: {} },
  },
  listed(
    'site_read',
    'Read one of several kinds of information about a site, chosen by method.',
    ['method', 'site'],
    {
      method: choice(
        [
          'The method to execute:',
          ...methods.map((method, at) => `${at + 1}. ${method}: ${method.slice(4)}`),
        ].join('\n'),
        methods,
      ),
      site,
      day,
    },
  ),
  {
    name: 'site-settings.write',
    description: 'Write settings of a site.',
    inputSchema: {
      type: 'object',
      properties: {
        site,
        changes: list('Settings to change', {
          type: 'object',
          properties: {
            name: { type: 'string' },
            value: {
              description: 'New value',
              oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }],
            },
          },
          required: ['name', 'value'],
          additionalProperties: false,
        }),
      },
      required: ['site', 'changes'],
      additionalProperties: false,
    },
  },
  {
    name: 'run_query',
    description: 'Run a read-only query. Filters nest.',
    inputSchema: {
      type: 'object',
      properties: {
        filter: { $ref: '#/$defs/filter' },
        limit: count('Rows', { minimum: 1, maximum: 1000, default: 50 }),
      },
      required: ['filter'],
      $defs: {
        filter: {
          anyOf: [
            {
              type: 'object',
              properties: { field: { type: 'string' }, is: { type: ['string', 'number', 'boolean'] } },
              required: ['field', 'is'],
              additionalProperties: false,
            },
            {
              type: 'object',
              properties: { all: { type: 'array', items: { $ref: '#/$defs/filter' } } },
              required: ['all'],
              additionalProperties: false,
            },
          ],
        },
      },
    },
  },
]

/** As most servers list them: nothing says whether more properties may come. */
function listed(
  name: string,
  description: string,
  required: readonly string[],
  properties: Readonly<Record<string, JsonSchema>>,
): ListedTool {
  return { name, description, inputSchema: { type: 'object', properties, required: [...required] } }
}
