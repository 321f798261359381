import { definitionName } from '../json/definition-reference.ts'
import { byCodeUnit, isJsonObject, own } from '../json/json.ts'
import { circlesOf } from '../schema/circles.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { type NameOf, typeText } from './type-text.ts'

/** Names that definitions refer to, by the name of each. */
type Graph = Map<string, Set<string>>

/** The definitions that Tools need, as types. Tools that define the same thing under one name share its type. */
export class DefinitionTypes {
  readonly #texts = new Map<string, string>()
  /** What types are called, by what a definition and those that it forms a circle with say. */
  readonly #known = new Map<string, ReadonlyMap<string, string>>()
  /** How many types begin with a name, so that the next number is found without trying all before it. */
  readonly #counts = new Map<string, number>()

  /** The types, each after those that it needs. */
  get lines(): string[] {
    return [...this.#texts].map(([name, text]) => `type ${name} = ${text}`)
  }

  /** Names the definitions of one Tool, as far as what is written of it refers to them. */
  namesFor(schema: JsonSchema, write: (nameOf: NameOf) => unknown): NameOf {
    const definitions = schema.$defs ?? {}
    const graph = graphOf(definitions, write)
    const names = new Map<string, string>()
    for (const group of groupsOf(graph)) {
      for (const [wanted, name] of this.#nameGroup(group, definitions, names)) names.set(wanted, name)
    }
    return (reference) => names.get(definitionName(reference) ?? '') ?? 'unknown'
  }

  /** Names definitions that lead to each other, or one alone; what they lead to beside has its names. */
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
        }),
      ])
    // No type is called so, whatever it will be called.
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
      // Taken at once: the others of its circle get other names.
      this.#texts.set(name, '')
      return name
    }
  }
}

/** What the definitions that something refers to refer to themselves, through one another too. */
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
  // A set can grow while it is walked: what is added is walked as well.
  for (const wanted of needed) {
    const referred = referredIn((nameOf) => typeText(definitions[wanted] ?? true, nameOf))
    graph.set(wanted, referred)
    for (const other of referred) needed.add(other)
  }
  return graph
}

/** The circles of a graph, and the names on none, each after those that it leads to. */
function groupsOf(graph: Graph): string[][] {
  const circles = circlesOf(graph)
  const groups = new Map<string | number, string[]>()
  for (const name of inwardOrder(graph)) {
    const circle = circles.get(name) ?? name
    const group = groups.get(circle) ?? []
    group.push(name)
    // Where the last of a circle is, all that any of it leads to stands before.
    groups.delete(circle)
    groups.set(circle, group)
  }
  return [...groups.values()].map((group) => group.sort(byCodeUnit))
}

/** Each name after those that it leads to, but for circles. Without recursion, which a chain of thousands would exhaust the stack with. */
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

/** A name that no type of the language has and that may stand in front of `=`. */
function typeName(name: string): string {
  const plain = name.replace(/\W+/g, '_')
  return /^[A-Za-z]/.test(plain) ? plain.charAt(0).toUpperCase() + plain.slice(1) : `T${plain}`
}
