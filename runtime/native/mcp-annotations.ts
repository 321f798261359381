import type { Effects } from '../schema/schema.ts'

/**
 * Converts a Tool's effects to MCP's hints. MCP's defaults assume the worst, so a Tool without effects needs none; for
 * one with effects all are set, since `import` and other clients use them, and directories refuse a server whose hints are
 * left to their defaults.
 */
export function mcpAnnotations(effects: Effects): Record<string, boolean> {
  return {
    readOnlyHint: effects === 'read',
    destructiveHint: effects === 'write',
    idempotentHint: effects !== 'write',
  }
}
