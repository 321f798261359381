import type { JsonSchema, Schema, ToolSchema } from '../runtime/schema/schema.ts'
import type { IdeaData } from '../runtime/tools/idea-data.ts'
import type { Implementation } from './function-implementation.ts'

/** A position in a source file, with 1-based line and column as editors and terminals link them. */
export interface SourcePosition {
  /** Relative to the project folder, with forward slashes. */
  readonly file: string
  readonly line: number
  readonly column: number
}

/** A problem or note about a definition. */
export interface Finding {
  /** Stable name of the rule, such as `duplicate-name`; it has an entry in `docs/definition-rules.md`. */
  readonly rule: string
  readonly severity: 'error' | 'warning' | 'note'
  /** What is wrong: the found and the expected value. */
  readonly message: string
  /** What to do about it. */
  readonly fix: string
  readonly at?: SourcePosition
  /** The Tool it is about. */
  readonly tool?: string
  /** JSON pointer into the Tool's schema. */
  readonly pointer?: string
}

/** Phase 1 (load): one export of a definitions file that is a Tool, possibly an invalid one, or a shared schema. */
export interface LoadedDefinition {
  /** `state`: a declared context. */
  readonly kind: 'tool' | 'shared' | 'state'
  /** The name under which it registers: `_tool`'s literal. For shared schemas the export's name. */
  readonly name: string
  /** The live object, as the definitions file exported it: not yet plain JSON. */
  readonly value: object
  /** Computed on first access: parsing the source takes time and is needed for findings only. */
  readonly at: SourcePosition
  /** Finds the position of a part, by JSON pointer into its schema; as precise as the source allows, at worst {@link at}. */
  readonly locate?: (pointer: string) => SourcePosition
  /** The function that it was derived from (TOOL-5). */
  readonly implementation?: Implementation
  /** The Idea that it was derived from (REQ-11). */
  readonly idea?: IdeaData
}

/** Phase 2 (build): one Tool, normalised: plain JSON Schema 2020-12, references as `#/$defs/Name`. */
export interface ToolModel {
  readonly name: string
  /** Unique TypeScript identifier in PascalCase: `WeatherCheck` gives `WeatherCheckCall`, `WeatherCheckOutput`. */
  readonly identifier: string
  /** File name without extension, unique ignoring case and valid on every system: `PhraseEmphasis__bold`. */
  readonly fileName: string
  /** The whole Tool schema, without `$defs`; its references point into {@link Model.definitions}. */
  readonly schema: ToolSchema
  /** What the Activity returns; undefined for a Tool without `_output`. */
  readonly output: Schema | undefined
  readonly at: SourcePosition
  /** The place of a part, by JSON pointer into its schema; see {@link LoadedDefinition.locate}. */
  readonly locate?: (pointer: string) => SourcePosition
  /** The function that is its Activity, for a Tool derived from one (TOOL-5). */
  readonly implementation?: Implementation
  /** The Idea that answers its Calls, for a Tool derived from one (REQ-11). */
  readonly idea?: IdeaData
  /** The file that registers its Activity, relative to the project folder, with forward slashes (ACT-3b). */
  readonly implementedIn?: string
}

/** Phase 2 (build): everything that is emitted, sorted by code unit. */
export interface Model {
  readonly tools: readonly ToolModel[]
  /** Shared schemas by name; names are TypeScript identifiers and never collide with a Tool's. */
  readonly definitions: Readonly<Record<string, JsonSchema>>
  /** The schemas of a context's content, by kind; absent in a project that declares none. */
  readonly context?: Readonly<Record<string, Schema>>
}

/** Phase 4 (emit): a file to write. `path` is relative to the output folder, with forward slashes. */
export interface GeneratedFile {
  readonly path: string
  readonly text: string
}
