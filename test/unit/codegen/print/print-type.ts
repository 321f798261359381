import type { Definitions } from '../../../../codegen/print/json-types.ts'
import { createTypePrinter } from '../../../../codegen/print/type-printer.ts'
import type { Schema } from '../../../../runtime/schema/schema.ts'

interface PrintTypeOptions {
  readonly definitions?: Definitions | undefined
  /** `resolved`: as an Activity receives it. `written`: as a caller or a model writes it, References allowed (REF-1). */
  readonly mode?: 'resolved' | 'written' | undefined
}

/**
 * Prints one schema as a TypeScript type: a type that every value has which the schema accepts.
 *
 * @example printType({ type: 'array', items: { enum: ['a', 1] } }) // "('a' | 1)[]"
 */
export function printType(schema: Schema, { definitions = {}, mode }: PrintTypeOptions = {}): string {
  const printer = createTypePrinter(definitions, () => 'Reference')
  const node = printer.read(schema)
  return printer.text(mode === 'written' ? printer.written(node) : node)
}
