import type { ts } from 'ts-morph'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import type { PassedValue } from '../function-implementation.ts'

/** A type as JSON Schema, with what is lost on the way and how values get across. */
export interface ReadType extends PassedValue {
  readonly schema: JsonSchema
}

/** Where a type is read, for messages: `parameter "where"` and `.folder` below it. */
export interface Site {
  readonly node: ts.Node
  readonly path: string
}

/** What readers of compound types ask for. */
export interface TypeSource {
  readonly checker: ts.TypeChecker
  read(type: ts.Type, site: Site): ReadType
  /** Reports a type that JSON has no form for; it reads as anything. */
  refuse(site: Site, what: string, fix: string): ReadType
}
