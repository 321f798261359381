import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type JsonTree, jsonTree } from '../json/json-offset.ts'
import type { SourcePosition } from '../model.ts'
import { maskSource } from './mask-source.ts'

/** A source file that is read and scanned lazily. */
export class SourceText {
  /** Relative to the root, with forward slashes. */
  readonly file: string
  readonly path: string
  #text: string | undefined
  #uncommented: string | undefined
  #code: string | undefined
  #lineStarts: number[] | undefined
  #json: { readonly tree: JsonTree } | undefined
  #variables: Map<string, number> | undefined

  /** @param text The text, if it was read already. */
  constructor(root: string, file: string, text?: string) {
    this.file = file
    this.path = join(root, file)
    this.#text = text
  }

  /** The text as written; empty if the file no longer exists, so that positions are only vague. */
  get text(): string {
    this.#text ??= readIfThere(this.path)
    return this.#text
  }

  /** The text without comments, at the same positions. */
  get uncommented(): string {
    this.#uncommented ??= maskSource(this.text, 'comments')
    return this.#uncommented
  }

  /** The text without comments and the contents of strings, at the same positions. */
  get code(): string {
    this.#code ??= maskSource(this.text, 'comments and strings')
    return this.#code
  }

  /** The offset of each variable's name at its first declaration. */
  get variables(): ReadonlyMap<string, number> {
    this.#variables ??= variablesIn(this.code)
    return this.#variables
  }

  /** The places of the values of a JSON file. */
  get json(): JsonTree {
    this.#json ??= { tree: jsonTree(this.text) }
    return this.#json.tree
  }

  /** Returns the line and column of an offset. */
  position(offset: number): SourcePosition {
    this.#lineStarts ??= lineStarts(this.text)
    let low = 0
    let high = this.#lineStarts.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { file: this.file, line: low + 1, column: offset - (this.#lineStarts[low] ?? 0) + 1 }
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

function variablesIn(code: string): Map<string, number> {
  const found = new Map<string, number>()
  for (const { 1: before = '', 2: name = '', index } of code.matchAll(/\b((?:const|let|var)\s+)([\w$]+)/g)) {
    if (!found.has(name)) found.set(name, index + before.length)
  }
  return found
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}
