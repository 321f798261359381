import type { ToolLine } from '../../wire/tools.ts'

/** The Tools that have every word of a search; those first that have it in their name. */
export function foundTools(tools: readonly ToolLine[], search: string): readonly ToolLine[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return tools
  const ranked = tools.flatMap((tool) => {
    const name = `${tool.name} ${tool.title ?? ''}`.toLowerCase()
    const text = `${name} ${tool.description ?? ''}`.toLowerCase()
    if (!words.every((word) => text.includes(word))) return []
    const inName = words.filter((word) => name.includes(word)).length
    const begins = words.some((word) => name.startsWith(word)) ? 1 : 0
    return [{ tool, rank: inName * 2 + begins }]
  })
  return ranked.sort((left, right) => right.rank - left.rank).map(({ tool }) => tool)
}
