import { ts } from 'ts-morph'
import { isMetaField } from '../../runtime/schema/meta-fields.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import type { Argument } from '../function-implementation.ts'
import type { LoadedDefinition } from '../model.ts'
import type { Said } from './doc-tags.ts'
import { readOptions } from './function-options.ts'
import type { Problems } from './problems.ts'
import { readArguments } from './read-arguments.ts'
import { readOutput } from './read-output.ts'
import type { TaggedFunction } from './tagged-functions.ts'
import { described, type ReadMember, type TypeReader } from './type-reader.ts'

/** Converts a tagged function to a Tool: the schema of its parameters, options and output, and how a Call is passed to it. */
export function readFunction(
  tagged: TaggedFunction,
  reader: TypeReader,
  problems: Problems,
): LoadedDefinition {
  const { declaration, node, docs, name, exportName, method } = tagged
  for (const { node: at, message } of docs.malformed) {
    problems.add('function-tag', at, `Tool "${name}": ${message}`, 'Correct the tag, or remove it.', name)
  }
  const { members, list } = readArguments(tagged, reader, problems)
  const { members: documented, unused } = withParameterDocs(
    members,
    docs.parameters,
    list,
    (schema, { keywords, node: at }, path) =>
      reader.constrained(schema, keywords, { node: at, path: `Tool "${name}", @param ${path}` }),
  )
  for (const [parameter, { node: at }] of unused) {
    const known = documented.map((member) => member.name).join(', ')
    const message = `Tool "${name}": @param ${parameter} names no parameter; there is ${known || 'none'}.`
    problems.add('function-tag', at, message, 'Correct the name, or remove the tag.', name)
  }
  const output = readOutput(declaration, docs.returns, name, reader)
  for (const { name: parameter } of members.filter((member) => isMetaField(member.name))) {
    const message = `Tool "${name}": parameter "${parameter}" has the name of a meta-field.`
    problems.add('function-shape', declaration, message, 'Name it otherwise.', name)
  }
  const options = readOptions(docs, name, problems)
  const properties: [string, JsonSchema][] = [
    ['_tool', { type: 'string', const: name }],
    ...documented.map(({ name: parameter, schema }): [string, JsonSchema] => [parameter, schema]),
    ...options.fields,
    ...(output.schema ? [['_output', output.schema] satisfies [string, JsonSchema]] : []),
  ]
  // The others are reported, and would be once more as parameters.
  const underscored = documented
    .map((member) => member.name)
    .filter((each) => each.startsWith('_') && !isMetaField(each) && each !== '__proto__')
  const schema: JsonSchema = {
    type: 'object',
    ...options.keywords,
    properties: Object.fromEntries(properties),
    required: ['_tool', ...documented.filter((member) => !member.isOptional).map((member) => member.name)],
    additionalProperties: false,
    ...(underscored.length > 0 && { parameters: underscored }),
  }
  return {
    kind: 'tool',
    name,
    value: schema,
    at: problems.at(nameNode(node, declaration)),
    implementation: {
      file: problems.shown(declaration.getSourceFile().fileName),
      exportName,
      ...(method && { method }),
      arguments: list,
      output: output.value,
    },
  }
}

/** Adds the `@param` texts to the members: by `parameter`, `options.member` and deeper paths. */
function withParameterDocs(
  members: readonly ReadMember[],
  said: ReadonlyMap<string, Said>,
  list: readonly Argument[],
  constrained: (schema: JsonSchema, docs: Said, path: string) => JsonSchema,
): { members: ReadMember[]; unused: [string, Said][] } {
  const isObject = list.some(({ from }) => from === 'parameters')
  const unused = new Map(said)
  const names = new Set(members.map(({ name }) => name))
  const result = members.map((member) => {
    let schema = member.schema
    for (const [path, docs] of said) {
      const steps = path.split('.')
      const [first = '', second] = steps
      const below =
        first === member.name
          ? steps.slice(1)
          : isObject && second === member.name && !names.has(first)
            ? steps.slice(2)
            : undefined
      if (!below) continue
      const documented = withDocsBelow(schema, below, (at) =>
        described(constrained(at, docs, path), docs.text === '' ? undefined : docs.text),
      )
      if (!documented) continue
      schema = documented
      unused.delete(path)
    }
    return { ...member, schema }
  })
  // Allowed although unused: `@param options` describes the whole object, and a signal is no parameter of the Tool.
  for (const path of said.keys()) {
    if (!path.includes('.') && (isObject || list.some(({ from }) => from === 'signal'))) unused.delete(path)
  }
  return { members: result, unused: [...unused] }
}

function withDocsBelow(
  schema: JsonSchema,
  [step, ...below]: readonly string[],
  document: (schema: JsonSchema) => JsonSchema,
): JsonSchema | undefined {
  if (step === undefined) return document(schema)
  const member =
    schema.properties && Object.hasOwn(schema.properties, step) ? schema.properties[step] : undefined
  // A member of a named type is documented at the type; a `@param` for it is accepted and ignored.
  if (schema.$ref !== undefined) return schema
  if (typeof member !== 'object') return undefined
  const documented = withDocsBelow(member, below, document)
  return documented && { ...schema, properties: { ...schema.properties, [step]: documented } }
}

function nameNode(node: ts.Node, declaration: ts.FunctionLikeDeclaration): ts.Node {
  if (declaration.name) return declaration.name
  const { parent } = declaration
  return parent && ts.isVariableDeclaration(parent) ? parent.name : node
}
