export interface BenchSchema {
  readonly [keyword: string]: unknown
}

export interface BenchTool {
  readonly name: string
  readonly description: string
  readonly parameters: BenchSchema
  readonly output: BenchSchema
}

export interface RandomSource {
  between(low: number, high: number): number
  pick<Item>(list: readonly Item[]): Item
  chance(share: number): boolean
}

export function makeTools(count: number, seed?: number): BenchTool[]
export function toolSchema(
  tool: Omit<BenchTool, 'output'> & { readonly output?: BenchSchema | undefined },
): BenchSchema
export function randomSource(seed: number): RandomSource
export function validValue(schema: BenchSchema, random: RandomSource): unknown
export function invalidValue(schema: BenchSchema, random: RandomSource): unknown
export function typeBoxSource(schema: BenchSchema): string
