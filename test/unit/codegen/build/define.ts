import { buildModel } from '../../../../codegen/build/build-model.ts'
import type { LoadedDefinition } from '../../../../codegen/model.ts'
import { tool } from '../../../../runtime/schema/tool.ts'

let line = 0

/** A definition as `load` gives it, each on a line of its own. */
export function define(
  name: string,
  value: object,
  kind: LoadedDefinition['kind'] = 'tool',
  file = 'definitions/all.ts',
): LoadedDefinition {
  line += 1
  return { kind, name, value, at: { file, line, column: 1 } }
}

/** Builds one Tool with one parameter and gives what became of that, with the definitions it uses. */
export function buildParameter(schema: object, ...shared: LoadedDefinition[]) {
  const { model, findings } = buildModel([define('test', tool('test', { value: schema })), ...shared])
  return { schema: model.tools[0]?.schema.properties?.value, definitions: model.definitions, findings }
}
