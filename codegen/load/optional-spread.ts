import type { Finding } from '../model.ts'
import type { Evaluation } from './evaluate-files.ts'
import type { SourceText } from './source-text.ts'

const spreadCall = /\.\.\.\s*(?:[A-Za-z_$][\w$]*\s*\.\s*)?Optional\s*\(/g
const spreadName = /\.\.\.\s*([A-Za-z_$][\w$]*)\s*(?=[,}\n])/g
const optionalVariable =
  /\b(?:const|let|var)\s+([A-Za-z_$][\w$]*)[^=;]*=\s*(?:[A-Za-z_$][\w$]*\s*\.\s*)?Optional\s*\(/g
const namedImports = /\bimport\s*(?:[A-Za-z_$][\w$]*\s*,\s*)?\{([^}]*)\}/g

/**
 * Finds spreads of optional schemas. TypeBox keeps the mark that makes a property optional hidden, a spread loses it,
 * and the property becomes required without a word; only the source still shows what was meant.
 */
export function optionalSpreads({ sources, imports }: Evaluation): Finding[] {
  // Hardly any file spreads, so names are looked for only where one does: the search reads every character.
  const known = new Map<string, ReadonlySet<string>>()
  const declared = (file: string): ReadonlySet<string> => {
    const names = known.get(file) ?? optionalNames(sources.get(file))
    known.set(file, names)
    return names
  }
  return [...sources.values()].flatMap((source) => {
    if (!source.text.includes('...')) return []
    const visible = new Set(declared(source.file))
    const importable = new Set((imports.get(source.file) ?? []).flatMap((file) => [...declared(file)]))
    for (const [name, local] of importedNames(source)) if (importable.has(name)) visible.add(local)
    return [
      ...[...source.code.matchAll(spreadCall)].map(({ index }) =>
        finding(source, index, 'an optional schema'),
      ),
      ...[...source.code.matchAll(spreadName)]
        .filter(([, name = '']) => visible.has(name))
        .map(({ 1: name, index }) => finding(source, index, `"${name}", which is optional,`)),
    ]
  })
}

function optionalNames(source: SourceText | undefined): Set<string> {
  if (!source?.text.includes('Optional')) return new Set()
  return new Set([...source.code.matchAll(optionalVariable)].map(([, name = '']) => name))
}

/** The names that a file imports, each with what it is called there. */
function importedNames(source: SourceText): [string, string][] {
  return [...source.code.matchAll(namedImports)].flatMap(([, names = '']) =>
    names.split(',').map((entry): [string, string] => {
      const [name = '', local = name] = entry.trim().split(/\s+as\s+/)
      return [name, local]
    }),
  )
}

function finding(source: SourceText, offset: number, what: string): Finding {
  return {
    rule: 'optional-spread',
    severity: 'error',
    message: `A spread of ${what} loses its hidden mark, so the property silently becomes required.`,
    fix: 'Keep the mark: Type.With(schema, { … }), or Type.Optional(Type.String({ … })) with the options inside.',
    at: source.position(offset),
  }
}
