import type { Effects } from '../schema/schema.ts'

/**
 * Converts a Tool's effects to MCP's hints. MCP's defaults assume the worst, so a Tool without effects needs none; for
 * one with effects, each hint that differs from its default is set, since `import` and other clients use them.
 */
export function mcpAnnotations(effects: Effects): Record<string, boolean> {
  if (effects === 'read') return { readOnlyHint: true }
  return {
    readOnlyHint: false,
    destructiveHint: effects === 'write',
    idempotentHint: effects === 'idempotent',
  }
}
