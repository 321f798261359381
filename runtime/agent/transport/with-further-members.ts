import { isJsonObject, type JsonObject } from '../../json/json.ts'
import { RequestError } from './request-error.ts'

/** Properties that the caller may always override. */
const replaceable: readonly string[] = ['model', 'max_tokens']

/** Properties that the caller may leave out, by null: Mistral refuses them. */
const removable: readonly string[] = ['body.stream_options']

/**
 * Merges the option `body` into a body. Objects are merged: `output_config: { effort }` is added to the format with the schema.
 *
 * @throws RequestError `invalid_options` for a property that would replace one the Request sets, such as `messages`:
 * the model would silently receive something else.
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
    if (value === null && removable.includes(`${at}.${name}`)) {
      delete body[name]
    } else if (isJsonObject(given) && isJsonObject(value)) {
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
