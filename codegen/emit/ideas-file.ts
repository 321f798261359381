import type { GeneratedFile, Model } from '../model.ts'
import { propertyName, stringLiteral } from '../print/literal.ts'
import { SourceFile } from '../print/source-file.ts'

/** Emits `ideas.ts`: the Ideas that answer Calls, as JSON text, for the generated registry (REQ-11). */
export function emitIdeas(model: Model): GeneratedFile[] {
  const members = model.tools.flatMap(({ name, idea }) =>
    idea ? [`  ${propertyName(name)}: ${stringLiteral(JSON.stringify(idea))},\n`] : [],
  )
  if (members.length === 0) return []
  const file = new SourceFile('ideas.ts', ['ideaTexts'])
  file.add(`export const ideaTexts: Readonly<Record<string, string>> = {\n${members.join('')}}\n`)
  return [file.done()]
}
