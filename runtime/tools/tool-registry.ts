import { CallError } from '../errors.ts'
import { nearest } from '../problems/nearest.ts'
import { briefly } from '../problems/problem.ts'
import { shorten } from '../problems/shorten.ts'
import { suggest } from '../problems/suggest.ts'
import { type GeneratedTool, generatedEntry, type ToolEntry } from './tool-entry.ts'

/** The Tools of one registry by name. */
export class ToolRegistry {
  readonly #entries = new Map<string, ToolEntry>()
  /** Tools whose types were generated and whose schema can therefore not change (TOOL-8). */
  readonly #generated = new Map<string, GeneratedTool>()
  readonly #generatedEntries = new WeakSet<ToolEntry>()

  get names(): string[] {
    return [...this.#entries.keys()]
  }

  get entries(): Iterable<ToolEntry> {
    return this.#entries.values()
  }

  get(name: string): ToolEntry | undefined {
    return this.#entries.get(name)
  }

  /** @throws CallError `unknown_tool`, with the nearest names. */
  require(name: string): ToolEntry {
    return this.#entries.get(name) ?? throwUnknown(name, this.names)
  }

  /** Adds a Tool, or replaces the one of its name. */
  set(entry: ToolEntry): void {
    this.#entries.set(entry.facts.name, entry)
  }

  /** Returns the generated Tool of a name, even if another one is registered under it now. */
  generated(name: string): GeneratedTool | undefined {
    return this.#generated.get(name)
  }

  registerGenerated(tool: GeneratedTool): void {
    const entry = generatedEntry(tool)
    this.#generated.set(tool.facts.name, tool)
    this.#generatedEntries.add(entry)
    this.#entries.set(tool.facts.name, entry)
  }

  /** Returns true for an entry that `registerGenerated` created; one that replaced it at run time is not generated. */
  isGenerated(entry: ToolEntry): boolean {
    return this.#generatedEntries.has(entry)
  }

  /** @returns false if no Tool has the name. */
  unregister(name: string): boolean {
    return this.#entries.delete(name)
  }
}

function throwUnknown(name: string, names: string[]): never {
  throw unknownTool(name, names)
}

/** Creates the error for a Tool that is not registered. */
export function unknownTool(
  given: string,
  names: readonly string[],
  guess: typeof nearest = nearest,
): CallError {
  // JavaScript callers may pass anything.
  const name = typeof given === 'string' ? given : briefly(given)
  const suggestions = guess(name, names)
  const message = `Unknown tool "${shorten(name, 80)}".${suggest(suggestions)} ${listRegistered(names)}`
  return new CallError('unknown_tool', message, { suggestions })
}

function listRegistered(names: readonly string[]): string {
  if (names.length === 0)
    return 'No Tool is registered: call Tool.register(name, schema), or pass createRegistry({ tools }).'
  const shown = names.slice(0, 12).join(', ')
  return names.length > 12 ? `Registered: ${shown} and ${names.length - 12} more.` : `Registered: ${shown}.`
}
