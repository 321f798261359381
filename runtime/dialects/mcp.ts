import type { Dialect } from './dialect.ts'
import { jsonSchema } from './json-schema.ts'

/**
 * Model Context Protocol: `inputSchema` is JSON Schema 2020-12 with an object at its root.
 *
 * Source, read on 2026-11-01: Model Context Protocol specification 2025-11-25, tools.
 */
export const mcp: Dialect = {
  ...jsonSchema,
  name: 'mcp',
  objectRoot: true,
  limits: [
    {
      measure: 'nameLength',
      max: 128,
      severity: 'observed',
      source: 'Model Context Protocol specification 2025-11-25, tools',
      reviewedAt: '2026-11-01',
      appliesTo: 'native',
    },
  ],
}
