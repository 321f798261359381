import type { DialectName } from '../../dialects/dialect-name.ts'
import { dialects } from '../../dialects/dialects.ts'
import { type NativeApi, type NativeShape, nativeShapes } from '../../native/shapes.ts'

/**
 * Returns the shape of an API's native tools. Many servers take OpenAI's form of tools, but not all of its schemas: the option
 * `dialect` says which.
 */
export function shapeOf(api: NativeApi, dialect: DialectName): NativeShape {
  const shape = nativeShapes[api]
  return shape.dialect === 'openai' && !dialects[dialect].asDeclared ? { ...shape, dialect } : shape
}
