/**
 * What generated checks of Tools with a `format` load. Not for people: `callsheet generate` writes the import.
 */
export { format, formatTest } from './checks/formats.ts'
