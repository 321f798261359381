import { isJsonObject, type JsonObject } from '../../json/json.ts'
import { RequestError } from './request-error.ts'

/** Members that are the caller's to say, whatever they were. */
const replaceable: readonly string[] = ['model', 'max_tokens']

/**
 * Adds to a body what the option `body` says. Objects are joined: `output_config: { effort }` stands beside the format that holds the
 * model to its schema.
 *
 * @throws RequestError `invalid_options` for a member that would take the place of what a Request writes, such as `messages`: the model
 * would be asked something else, and nobody told.
 */
export function withFurtherMembers(
  own: JsonObject,
  further: JsonObject = {},
  at: string = 'body',
): JsonObject {
  const body = { ...own }
  for (const [name, value] of Object.entries(further)) {
    if (value === undefined) continue
    const given = body[name]
    if (isJsonObject(given) && isJsonObject(value)) {
      body[name] = withFurtherMembers(given, value, `${at}.${name}`)
    } else if ((given === undefined && `${at}.${name}` !== 'body.stream') || replaceable.includes(name)) {
      body[name] = value
    } else {
      throw new RequestError(
        'invalid_options',
        `${at}.${name} would take the place of what a Request writes there itself. Leave it out: \`tools\`, \`output\`, \`context\`, \`instructions\` and \`stream\` are options of their own.`,
      )
    }
  }
  return body
}
