import type { JsonSchema } from '../../../../runtime/schema/schema.ts'

/** A second count that shares nothing with the first: it reads the JSON text and knows no schema walker. */
export function recount(schema: JsonSchema) {
  const counts = {
    properties: 0,
    nameCharacters: 0,
    enumValues: 0,
    largeEnumCharacters: 0,
    optionalParameters: 0,
    unions: 0,
    objects: 0,
    maxItemsSum: 0,
    depth: 0,
    nullableProperties: 0,
  }
  const length = (value: unknown): number =>
    (typeof value === 'string' ? value : JSON.stringify(value)).length
  const visit = (node: JsonSchema, depth: number): void => {
    counts.depth = Math.max(counts.depth, depth)
    const types = [node.type ?? []].flat()
    if (types.includes('object')) counts.objects += 1
    if (Array.isArray(node.type)) counts.unions += 1
    if ('const' in node) counts.nameCharacters += length(node.const)
    if (node.enum) {
      const characters = node.enum.map(length).reduce((sum, next) => sum + next, 0)
      counts.enumValues += node.enum.length
      counts.nameCharacters += characters
      const isLarge = node.enum.length > 250 && node.enum.every((value) => typeof value === 'string')
      if (isLarge) counts.largeEnumCharacters = Math.max(counts.largeEnumCharacters, characters)
    }
    if (typeof node.maxItems === 'number') counts.maxItemsSum += node.maxItems
    const children: JsonSchema[] = []
    if (node.properties) {
      const names = Object.keys(node.properties)
      counts.properties += names.length
      counts.nameCharacters += names.join('').length
      counts.optionalParameters += names.filter((name) => !(node.required ?? []).includes(name)).length
      const values = Object.values(node.properties) as JsonSchema[]
      const nullable = values.filter((value) =>
        /"null"/.test(JSON.stringify([value.type, (value.anyOf ?? []).map((b) => (b as JsonSchema).type)])),
      )
      counts.nullableProperties = Math.max(counts.nullableProperties, nullable.length)
      children.push(...values)
    }
    if (node.anyOf) {
      counts.unions += 1
      children.push(...(node.anyOf as JsonSchema[]))
    }
    for (const one of [node.items, node.additionalProperties, ...(node.prefixItems ?? [])]) {
      if (typeof one === 'object' && !Array.isArray(one)) children.push(one)
    }
    for (const child of children) visit(child, depth + 1)
  }
  visit(schema, 0)
  for (const [name, definition] of Object.entries(schema.$defs ?? {})) {
    counts.nameCharacters += name.length
    visit(definition as JsonSchema, 0)
  }
  return { ...counts, bytes: Buffer.byteLength(JSON.stringify(schema)) }
}
