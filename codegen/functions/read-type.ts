import type { ts } from 'ts-morph'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import type { PassedValue } from '../function-implementation.ts'

/** A type as JSON Schema, with the way in which its values are passed. */
export interface ReadType extends PassedValue {
  readonly schema: JsonSchema
}

/** The location of a type, for messages: `parameter "where"`, and `.folder` below it. */
export interface Site {
  readonly node: ts.Node
  readonly path: string
}

/** The interface that readers of compound types use. */
export interface TypeSource {
  readonly checker: ts.TypeChecker
  read(type: ts.Type, site: Site): ReadType
  /** Reports a type that JSON cannot express, and reads it as any value. */
  refuse(site: Site, what: string, fix: string): ReadType
}
