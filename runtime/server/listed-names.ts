import { providerSafeName } from '../schema/tool-name.ts'

/**
 * Returns the names under which Tools are listed over MCP: without dots, which MCP allows, but for which Claude Desktop, Codex and the
 * Copilot CLI refuse the whole list or each request (l22-io/orchard-mcp#14, openai/codex#8174, github/copilot-cli#2581). Tools that
 * would have one name then keep their own.
 *
 * @example listedNames(['Text.upper', 'add']) // Map { 'Text.upper' => 'Text__upper', 'add' => 'add' }
 */
export function listedNames(names: readonly string[]): ReadonlyMap<string, string> {
  const owners = new Map<string, number>()
  for (const name of names) {
    for (const form of new Set([name, providerSafeName(name)])) owners.set(form, (owners.get(form) ?? 0) + 1)
  }
  return new Map(
    names.map((name) => {
      const safe = providerSafeName(name)
      return [name, owners.get(safe) === 1 ? safe : name]
    }),
  )
}

/** Returns the Tool that a client means, by its own name or by the one under which it is listed. */
export function namedTool<Tool extends { readonly name: string }>(
  tools: readonly Tool[],
  name: string,
): Tool | undefined {
  const listed = tools.filter((tool) => providerSafeName(tool.name) === name)
  return tools.find((tool) => tool.name === name) ?? (listed.length === 1 ? listed[0] : undefined)
}
