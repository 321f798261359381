import { compileNamed, compileRoot } from '../../../../codegen/validators/compile.ts'
import { verdictName } from '../../../../codegen/validators/names.ts'
import { buildCheck } from '../../../../runtime/check-tree/definitions.ts'
import { linkSchema } from '../../../../runtime/check-tree/link-schema.ts'
import { localReferences } from '../../../../runtime/check-tree/local-references.ts'
import type { References } from '../../../../runtime/check-tree/references.ts'
import { unsupportedSchema } from '../../../../runtime/check-tree/supported.ts'
import * as helpers from '../../../../runtime/checks.ts'
import type { Schema } from '../../../../runtime/schema/schema.ts'
import type { Check } from '../../../../runtime/schema/validator.ts'

/**
 * Compiles and runs a schema with references of any local kind, as a generated Tool has it. Only tests evaluate: generated modules are imported.
 *
 * @throws TypeError when the schema is refused.
 */
export function compiled(schema: Schema): Check {
  const references = renamed(localReferences(schema))
  const refused = unsupportedSchema(schema, references)
  if (refused.length > 0) throw new TypeError(`refused: ${refused.map(({ reason }) => reason).join('; ')}`)
  const root = compileRoot(schema, references)
  const definitions = buildCheck(schema, references)
  const lines = [...definitions.trees.keys()].flatMap((name) => {
    const { declarations, verdict } = compileNamed(name, definitions, references.schemaOf(name))
    return [...declarations, `const ${verdictName(name)} = ${verdict}`]
  })
  const source = asJavaScript([...lines, ...root.declarations, `return ${root.verdict}`].join('\n'))
  const evaluate = new Function(...Object.keys(helpers), `'use strict'\n${source}`)
  return helpers.check(evaluate(...Object.values(helpers)), linkSchema(schema, references))
}

/** What is printed is TypeScript: the few types in it are known. */
export function asJavaScript(source: string): string {
  return source
    .replaceAll('(v: any): boolean =>', '(v) =>')
    .replaceAll('new Set<unknown>(', 'new Set(')
    .replaceAll(': any[] = ', ' = ')
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
