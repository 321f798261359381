/**
 * The functions that generated checks call. A generated Tool's module imports this entry, and is itself loaded with the
 * Tool's first Call. Not meant to be imported by hand: `callsheet generate` writes the import.
 */
export * from './checks/check.ts'
export { formatTest } from './checks/formats.ts'
export { guardPattern } from './checks/guard-pattern.ts'
export type { Check, Checks } from './schema/validator.ts'
export { fieldsApart } from './tools/fields-apart.ts'
export { generatedChecks } from './tools/generated-checks.ts'
export { withoutFreeFields } from './tools/tool-entry.ts'
