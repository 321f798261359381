/**
 * What generated checks load that have a `format`, or a pattern that a regular expression could hang on. Not for people: `callsheet generate` writes the import.
 */
export { format, formatTest } from './checks/formats.ts'
export { guardPattern } from './checks/guard-pattern.ts'
