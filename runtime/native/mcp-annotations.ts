import type { Effects } from '../schema/schema.ts'

/**
 * A Tool's effects as MCP's hints. What MCP assumes of a tool that says nothing is the worst, so that a Tool without effects says
 * nothing; of one with effects each default that would say otherwise is said, since `import` and other clients go by them.
 */
export function mcpAnnotations(effects: Effects): Record<string, boolean> {
  if (effects === 'read') return { readOnlyHint: true }
  return {
    readOnlyHint: false,
    destructiveHint: effects === 'write',
    idempotentHint: effects === 'idempotent',
  }
}
