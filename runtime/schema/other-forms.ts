import { CallsheetError } from '../errors.ts'
import { isJsonObject, own } from '../json/json.ts'
import { isWithoutKeyword, typeName } from '../keywords/keywords.ts'
import { isString } from '../problems/field-rule.ts'
import { briefly } from '../problems/problem.ts'

/** Properties in which tools of other libraries keep the schema of their parameters. */
const foreignSchemaKeys = ['inputSchema', 'input_schema', 'parameters', 'function']

/** True for what is probably a property where a keyword should be: a schema, a class such as String, or the name of a type. */
function isProperty([name, value]: [string, unknown]): boolean {
  if (isString(value)) return typeName.test(value)
  return Object(value) === value && !/^(?:enabled|parameters)$/.test(name)
}

/**
 * Refuses a tool of another library, and schemas or toolkits by name: read as a JSON Schema they would declare no parameters and
 * accept anything.
 *
 * @throws CallsheetError `unsupported_schema`.
 */
export function refuseOtherForms(name: string, schema: object): void {
  if (!isJsonObject(schema) || own(schema, 'properties') !== undefined) return
  const member = foreignSchemaKeys.find((each) => isJsonObject(own(schema, each)))
  if (member === undefined) {
    if (!isWithoutKeyword(schema) || !Object.entries(schema).some(isProperty)) return
    throw new CallsheetError(
      'unsupported_schema',
      `Tool ${briefly(name)} cannot be registered: it has no keyword of JSON Schema. Put parameters in \`properties\`, and spread toolkits.`,
    )
  }
  // In a list of tools the caller's `name` is an index: prefer the name inside.
  const called = [schema, own(schema, member)]
    .map((form) => isJsonObject(form) && own(form, 'name'))
    .find(isString)
  throw new CallsheetError(
    'unsupported_schema',
    `Tool ${briefly(called ?? name)} cannot be registered: it is a tool of another library, with its parameters in \`${member}\`. Pass tool(name, schema.properties), or use \`callsheet import\`.`,
  )
}
