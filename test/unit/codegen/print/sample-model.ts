import type { Settings } from '../../../../codegen/config/settings.ts'
import type { Model, ToolModel } from '../../../../codegen/model.ts'
import { fileName } from '../../../../codegen/names/file-name.ts'
import { uniqueIdentifiers } from '../../../../codegen/names/names.ts'
import type { Schema, ToolSchema } from '../../../../runtime/schema/schema.ts'

export const settings: Settings = {
  root: '/project',
  definitions: ['definitions'],
  activitiesFolder: 'activities',
  otherOutputs: [],
  meta: {},
  output: 'generated',
  activities: undefined,
  dialects: [],
  importExtension: '.js',
  declarationMaps: false,
  outputPosition: 'last',
  explicitOutput: 'omit',
  references: 'auto',
  exceptions: [],
  budget: {},
}

/** A model of Tools given as schemas by name, as the build phase would make it; `_output` becomes the output. */
export function modelOf(
  schemas: Readonly<Record<string, ToolSchema>>,
  definitions: Model['definitions'] = {},
): Model {
  const identifiers = uniqueIdentifiers(Object.keys(schemas))
  const tools = Object.entries(schemas).map(([name, schema]): ToolModel => {
    const properties: Record<string, Schema> = { _tool: { const: name }, ...schema.properties }
    return {
      name,
      identifier: identifiers.get(name) ?? name,
      fileName: fileName(name),
      schema: { type: 'object', ...schema, properties, required: ['_tool', ...(schema.required ?? [])] },
      output: properties._output,
      at: { file: 'definitions/all.ts', line: 1, column: 1 },
    }
  })
  return { tools, definitions }
}

const text = { type: 'string' }

/** One Tool for each thing that the types of a Tool can differ in. */
export const sampleModel: Model = modelOf(
  {
    weatherCheck: {
      description: 'Current weather at a location.\nNot a forecast */.',
      properties: {
        location: { type: 'string', description: 'City and country' },
        days: { type: 'integer', minimum: 1, maximum: 10, default: 3 },
        units: { enum: ['metric', 'imperial'] },
        near: { $ref: '#/$defs/Address', description: 'Where to look first' },
        _outputPath: { type: 'string' },
        _scopes: { const: ['state'] },
        _output: {
          type: 'object',
          description: 'What the station says.',
          properties: { temperature: { type: 'number' }, conditions: text },
          required: ['temperature', 'conditions'],
        },
      },
      required: ['location', '_scopes'],
      additionalProperties: false,
    },
    ping: { additionalProperties: false },
    'PhraseEmphasis.bold': {
      deprecated: true,
      properties: { text: { type: 'string' }, _activity: { const: 'emphasis' }, _output: text },
      required: ['text'],
      additionalProperties: false,
    },
    'PhraseEmphasis.italic-too': {
      properties: { text: { type: 'string' }, _activity: { const: 'emphasis' }, _output: { type: 'number' } },
      required: ['text'],
      additionalProperties: false,
    },
    PhraseEmphasis: {
      properties: { level: { $ref: '#/$defs/Level' }, _activity: { const: '' }, _output: text },
      additionalProperties: false,
    },
    getUser: {
      properties: { id: text, _instance: text, _output: true },
      required: ['id', '_instance'],
      additionalProperties: false,
    },
    get_user: {
      properties: { tree: { $ref: '#/$defs/Tree' }, _output: { $ref: '#/$defs/Tree' } },
      additionalProperties: true,
    },
    built: {
      properties: { to: { $ref: '#/$defs/Reference' }, _output: { type: ['string', 'null'] } },
      required: ['to'],
      additionalProperties: { type: 'number' },
    },
    find: {
      properties: { id: { type: 'integer' }, query: text, _output: { type: 'array', items: text } },
      additionalProperties: false,
      anyOf: [{ required: ['id'] }, { required: ['query'] }],
    },
    count: {
      properties: { _output: { type: 'integer' } },
      oneOf: [
        { properties: { all: { const: true } }, required: ['all'], additionalProperties: false },
        { type: 'object', additionalProperties: { type: 'boolean' } },
      ],
    },
  },
  {
    Address: {
      type: 'object',
      description: 'A place.',
      properties: { street: text, number: { type: 'integer' }, next: { $ref: '#/$defs/Address' } },
      required: ['street'],
      additionalProperties: false,
    },
    Level: { enum: ['low', 'high'] },
    // Browsers and Node have types of this name; the wiring has the other.
    Node: { type: 'object', properties: { Node: text } },
    Reference: { type: 'object', properties: { to: text }, required: ['to'] },
    Tree: { anyOf: [{ type: 'number' }, { type: 'array', items: { $ref: '#/$defs/Tree' } }] },
  },
)
