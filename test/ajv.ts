import { Ajv, type Options, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** Compiling the meta-schema takes far longer than compiling most schemas, so instances are shared by their options. */
const instances = new Map<string, Ajv>()

/** Options of {@link compileWithAjv}: those of Ajv that JSON can say, and the draft. */
export interface AjvOptions
  extends Pick<Options, 'allErrors' | 'ownProperties' | 'strictNumbers' | 'validateSchema'> {
  /** Draft-07 instead of 2020-12. */
  readonly draft7?: boolean
}

/** Compiles a schema with Ajv, the formats of ajv-formats and no strict mode: the oracle that other checks are compared with. */
export function compileWithAjv(schema: object | boolean, options: AjvOptions = {}): ValidateFunction {
  if (hasAddresses(schema)) return newInstance(options).compile(schema)
  const key = JSON.stringify(options)
  const ajv = instances.get(key) ?? newInstance(options)
  instances.set(key, ajv)
  try {
    return ajv.compile(schema)
  } finally {
    if (typeof schema === 'object') ajv.removeSchema(schema)
  }
}

/** Whether a schema has ids or anchors, which an instance would remember for the next schema. */
function hasAddresses(schema: object | boolean): boolean {
  return /"\$?(id|anchor|dynamicAnchor|recursiveAnchor)":/.test(JSON.stringify(schema))
}

function newInstance({ draft7 = false, ...options }: AjvOptions): Ajv {
  // Optimising generated code takes longer than running it on a test's few values.
  const all: Options = { strict: false, logger: false, code: { optimize: false }, ...options }
  const ajv = draft7 ? new Ajv(all) : new Ajv2020(all)
  addFormats.default(ajv)
  return ajv
}
