import { definitionName } from '../json/definition-reference.ts'
import { byCodeUnit, isJsonObject, own } from '../json/json.ts'
import { circlesOf } from '../schema/circles.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { note } from './note.ts'
import { type NameOf, typeText } from './type-text.ts'

/** The definitions that each definition references, by name. */
type Graph = Map<string, Set<string>>

/** Renders the definitions that Tools need as types. Tools with equal definitions of one name share its type. */
export class DefinitionTypes {
  readonly #texts = new Map<string, string>()
  /** The type names of each cycle of definitions, keyed by the text of all its types. */
  readonly #known = new Map<string, ReadonlyMap<string, string>>()
  /** The number of types per base name, so that the next free number is found without trying all. */
  readonly #counts = new Map<string, number>()

  /** The type declarations, each after those it references. */
  get lines(): string[] {
    return [...this.#texts].map(([name, text]) => `type ${name} = ${text}`)
  }

  /** Assigns type names to the definitions of one Tool that `write` references. */
  namesFor(schema: JsonSchema, write: (nameOf: NameOf) => unknown): NameOf {
    const definitions = schema.$defs ?? {}
    const graph = graphOf(definitions, write)
    const names = new Map<string, string>()
    for (const group of groupsOf(graph)) {
      for (const [wanted, name] of this.#nameGroup(group, definitions, names)) names.set(wanted, name)
    }
    return (reference) => names.get(definitionName(reference) ?? '') ?? 'unknown'
  }

  /** Assigns type names to one cycle of definitions, or to a single one. The others they reference already have names. */
  #nameGroup(
    group: readonly string[],
    definitions: Readonly<Record<string, Schema>>,
    named: ReadonlyMap<string, string>,
  ): ReadonlyMap<string, string> {
    const textsWith = (names: ReadonlyMap<string, string>): [wanted: string, text: string][] =>
      group.map((wanted) => [
        wanted,
        typeText(definitions[wanted] ?? true, (reference) => {
          const other = definitionName(reference) ?? ''
          return names.get(other) ?? named.get(other) ?? 'unknown'
        }) + note(definitions[wanted] ?? true),
      ])
    // Placeholders that no type name can equal, so that the text does not depend on the names chosen later.
    const said = JSON.stringify(textsWith(new Map(group.map((wanted) => [wanted, `#${wanted}`]))))
    const known = this.#known.get(said)
    if (known) return known
    const names = new Map(group.map((wanted) => [wanted, this.#freeName(wanted)]))
    for (const [wanted, text] of textsWith(names)) this.#texts.set(names.get(wanted) ?? wanted, text)
    this.#known.set(said, names)
    return names
  }

  #freeName(wanted: string): string {
    const plain = typeName(wanted)
    for (let count = (this.#counts.get(plain) ?? 0) + 1; ; count++) {
      const name = count === 1 && plain !== 'Call' ? plain : `${plain}${count}`
      if (this.#texts.has(name)) continue
      this.#counts.set(plain, count)
      // Reserve the name for the other definitions of the cycle.
      this.#texts.set(name, '')
      return name
    }
  }
}

/** Builds the graph of the definitions that a text references, directly and through each other. */
function graphOf(definitions: Readonly<Record<string, Schema>>, write: (nameOf: NameOf) => unknown): Graph {
  const referredIn = (text: (nameOf: NameOf) => unknown): Set<string> => {
    const referred = new Set<string>()
    text((reference) => {
      const wanted = definitionName(reference)
      if (wanted !== undefined && isJsonObject(own(definitions, wanted))) referred.add(wanted)
      return 'unknown'
    })
    return referred
  }
  const graph: Graph = new Map()
  const needed = referredIn(write)
  // Iterating a Set also visits items that are added meanwhile.
  for (const wanted of needed) {
    const referred = referredIn((nameOf) => typeText(definitions[wanted] ?? true, nameOf))
    graph.set(wanted, referred)
    for (const other of referred) needed.add(other)
  }
  return graph
}

/** Returns the cycles of a graph, and the names outside cycles as groups of one, each after those it references. */
function groupsOf(graph: Graph): string[][] {
  const circles = circlesOf(graph)
  const groups = new Map<string | number, string[]>()
  for (const name of inwardOrder(graph)) {
    const circle = circles.get(name) ?? name
    const group = groups.get(circle) ?? []
    group.push(name)
    // At the position of a cycle's last member, everything that its members reference comes before.
    groups.delete(circle)
    groups.set(circle, group)
  }
  return [...groups.values()].map((group) => group.sort(byCodeUnit))
}

/** Sorts names topologically, references first, apart from cycles. Not recursive: a chain of thousands would overflow the stack. */
function inwardOrder(graph: Graph): Set<string> {
  const done = new Set<string>()
  const seen = new Set<string>()
  for (const start of graph.keys()) {
    const path = [start]
    for (let name = path.at(-1); name !== undefined; name = path.at(-1)) {
      const isNew = !seen.has(name)
      seen.add(name)
      const ahead = isNew ? [...(graph.get(name) ?? [])].filter((next) => !seen.has(next)) : []
      if (ahead.length > 0) path.push(...ahead.reverse())
      else done.add(path.pop() ?? name)
    }
  }
  return done
}

/** Converts a definition's name to a type name that is a valid identifier and no built-in type. */
function typeName(name: string): string {
  const plain = name.replace(/\W+/g, '_')
  return /^[A-Za-z]/.test(plain) ? plain.charAt(0).toUpperCase() + plain.slice(1) : `T${plain}`
}
