import { compileStep } from '../../../../codegen/validators/compile.ts'
import { definitionStep } from '../../../../codegen/validators/print-check.ts'
import { localReferences } from '../../../../runtime/check-tree/local-references.ts'
import type { References } from '../../../../runtime/check-tree/references.ts'
import { unsupportedSchema } from '../../../../runtime/check-tree/supported.ts'
import * as helpers from '../../../../runtime/checks/check.ts'
import { format } from '../../../../runtime/formats.ts'
import type { Schema } from '../../../../runtime/schema/schema.ts'
import type { Check } from '../../../../runtime/schema/validator.ts'

/**
 * Compiles and runs a schema with references of any local kind. Only tests evaluate: generated modules are imported.
 *
 * @throws TypeError when the schema is refused.
 */
export function compiled(schema: Schema): Check {
  const references = renamed(localReferences(schema))
  const refused = unsupportedSchema(schema, references)
  if (refused.length > 0) throw new TypeError(`refused: ${refused.map(({ reason }) => reason).join('; ')}`)
  const root = compileStep(schema, references)
  const definitions = new Map<string, string>()
  const pending = [...root.definitions]
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (definitions.has(name)) continue
    const step = compileStep(references.schemaOf(name) ?? false, references)
    definitions.set(name, step.code)
    pending.push(...step.definitions)
  }
  const lines = [...definitions].map(([name, code]) => `const ${definitionStep(name)} = ${code};`)
  const scope = { ...helpers, format }
  const source = `'use strict'; ${lines.join('\n')}\nreturn check(${root.code});`
  return new Function(...Object.keys(scope), source)(...Object.values(scope))
}

/** Gives definitions names that TypeScript can spell, as the generator does. */
function renamed(local: References): References {
  const names = new Map<string, string>()
  return {
    nameOf(reference) {
      const name = local.nameOf(reference)
      const own = [...names].find(([, original]) => original === name)?.[0] ?? `Definition${names.size}`
      names.set(own, name)
      return own
    },
    schemaOf: (name) => local.schemaOf(names.get(name) ?? ''),
  }
}
