/** The part of a source map (version 3) that mapping a position back needs. */
interface SourceMap {
  readonly sources: readonly string[]
  readonly mappings: string
}

/** Where a generated position came from: 1-based line and column. */
export interface Original {
  readonly source: string
  readonly line: number
  readonly column: number
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/**
 * Finds the original of a position (1-based) in generated text: the last mapping at or before it on its line.
 *
 * @param json The source map's text. It is decoded on every call, since only a definition that throws asks.
 */
export function originalPosition(json: string, line: number, column: number): Original | undefined {
  const map = JSON.parse(json) as SourceMap
  let [source, sourceLine, sourceColumn] = [0, 0, 0]
  let found: Original | undefined
  // Every field is relative to the one before it, across lines; only the generated column starts anew on each.
  for (const [index, mappings] of map.mappings.split(';', line).entries()) {
    let generatedColumn = 0
    for (const segment of mappings === '' ? [] : mappings.split(',')) {
      const [columns = 0, sources, lines = 0, sourceColumns = 0] = decode(segment)
      generatedColumn += columns
      if (sources === undefined) continue
      source += sources
      sourceLine += lines
      sourceColumn += sourceColumns
      if (index === line - 1 && generatedColumn < column) {
        found = { source: map.sources[source] ?? '', line: sourceLine + 1, column: sourceColumn + 1 }
      }
    }
  }
  return found
}

/** Base64 VLQ: five bits a digit, lowest first; the sixth says that more follow; the lowest bit of all is the sign. */
function decode(segment: string): number[] {
  const values: number[] = []
  let value = 0
  let shift = 0
  for (const digit of segment) {
    const bits = digits.indexOf(digit)
    value += (bits & 31) << shift
    shift += 5
    if (bits & 32) continue
    values.push(value & 1 ? -(value >>> 1) : value >>> 1)
    value = 0
    shift = 0
  }
  return values
}
