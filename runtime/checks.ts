/**
 * What the checks in generated Tools' modules are made of. They are loaded with the first Call, and this with them. Not
 * for people: `callsheet generate` writes the import.
 */
export * from './checks/check.ts'
export { formatTest } from './checks/formats.ts'
export { guardPattern } from './checks/guard-pattern.ts'
export type { Check, Checks } from './schema/validator.ts'
export { fieldsApart } from './tools/fields-apart.ts'
export { generatedChecks } from './tools/generated-checks.ts'
export { withoutFreeFields } from './tools/tool-entry.ts'
