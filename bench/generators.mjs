// One generator over the corpus, as a program of its own: `node bench/generators.mjs <name> <tools>`. Each makes what
// it makes of the parameters and the output of every tool, and prints how many bytes that came to.
import { makeTools } from './corpus.mjs'

const generators = { json2ts, openapi, quicktype, ajv }

const [name, count] = process.argv.slice(2)
if (name !== undefined) {
  const bytes = await generators[name](schemasOf(makeTools(Number(count))))
  console.log(bytes)
}

/** The schemas of all tools, two for each, by a name that is a type name everywhere. */
function schemasOf(tools) {
  const named = (tool, suffix) => tool.name[0].toUpperCase() + tool.name.slice(1) + suffix
  return tools.flatMap((tool) => [
    { title: named(tool, 'Call'), schema: tool.parameters },
    { title: named(tool, 'Output'), schema: tool.output },
  ])
}

/** Types only. `maxItems` is left alone: at its defaults it would print tuples of every length. */
async function json2ts(schemas) {
  const { compile } = await import('json-schema-to-typescript')
  let bytes = 0
  for (const { title, schema } of schemas) {
    const text = await compile(structuredClone(schema), title, {
      format: false,
      bannerComment: '',
      ignoreMinAndMaxItems: true,
    })
    bytes += Buffer.byteLength(text)
  }
  return bytes
}

/** Types only, of one OpenAPI document that holds all schemas as components. */
async function openapi(schemas) {
  const { default: openapiTS, astToString } = await import('openapi-typescript')
  const document = {
    openapi: '3.1.0',
    info: { title: 'tools', version: '1' },
    paths: {},
    components: { schemas: Object.fromEntries(schemas.map(({ title, schema }) => [title, schema])) },
  }
  return Buffer.byteLength(astToString(await openapiTS(document)))
}

/** Types only. */
async function quicktype(schemas) {
  const { FetchingJSONSchemaStore, InputData, JSONSchemaInput, quicktype } = await import('quicktype-core')
  const input = new JSONSchemaInput(new FetchingJSONSchemaStore())
  for (const { title, schema } of schemas)
    await input.addSource({ name: title, schema: JSON.stringify(schema) })
  const inputData = new InputData()
  inputData.addInput(input)
  const { lines } = await quicktype({
    inputData,
    lang: 'typescript',
    rendererOptions: { 'just-types': true },
  })
  return Buffer.byteLength(lines.join('\n'))
}

/** Validators only, one module of source text for each schema. */
async function ajv(schemas) {
  const { Ajv2020 } = await import('ajv/dist/2020.js')
  const { default: addFormats } = await import('ajv-formats')
  const { default: standaloneCode } = await import('ajv/dist/standalone/index.js')
  let bytes = 0
  const instance = new Ajv2020({ code: { source: true, esm: true }, strict: false })
  ;(addFormats.default ?? addFormats)(instance)
  const print = standaloneCode.default ?? standaloneCode
  for (const { schema } of schemas) bytes += Buffer.byteLength(print(instance, instance.compile(schema)))
  return bytes
}
