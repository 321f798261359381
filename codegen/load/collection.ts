import type { Finding, LoadedDefinition } from '../model.ts'
import { readIdea } from './idea-definition.ts'
import type { Locator } from './locator.ts'
import { type Expected, type Recognised, recognise } from './recognise.ts'
import { thrownText } from './thrown-text.ts'
import { whyUnreadable } from './unreadable.ts'

/** Deepest nesting of a toolkit. An exported object that nests deeper is data. */
const deepestToolkit = 8

/** An exported value, or a member of one, to be recognised. */
export interface Candidate {
  readonly value: unknown
  /** The keys that lead to the value, starting with the export's name. */
  readonly path: readonly string[]
  /** Its description in messages, such as `export "weatherCheck"`. */
  readonly label: string
  /** The default name of a Tool, and the name of a shared schema; '' if there is none. */
  readonly fallbackName: string
  readonly expected: Expected
  locator(path: readonly string[], tool?: string): Locator
}

/** Collects the definitions of all files. An object that is exported twice counts once. */
export class Collection {
  readonly definitions: LoadedDefinition[] = []
  readonly findings: Finding[] = []
  readonly #seen = new Set<unknown>()
  /** Objects that were read completely: each of many nested schemas would be read for all those around it. */
  readonly #read = new WeakSet<object>()

  /** Adds the definitions in a value. Returns false if it has none. */
  add(candidate: Candidate): boolean {
    const { value, path, fallbackName } = candidate
    if (this.#seen.has(value)) return true
    const recognised = this.#recognise(candidate)
    switch (recognised.is) {
      case 'tool':
        if (recognised.name === '') return this.#refuse(candidate, noName)
        return this.#define('tool', recognised.name, candidate, recognised.name)
      case 'shared':
      case 'state':
        return fallbackName !== '' && this.#define(recognised.is, fallbackName, candidate)
      case 'idea':
        return this.#addIdea(candidate)
      case 'malformed':
        return this.#refuse(candidate, recognised)
      case 'container': {
        if (path.length > deepestToolkit) return false
        this.#seen.add(value)
        const added = recognised.members.map(([key, member]) =>
          this.add({
            ...candidate,
            value: member,
            path: [...path, key],
            label: `${candidate.label}, member "${key}"`,
            fallbackName: /^\d/.test(key) ? '' : key,
          }),
        )
        return added.includes(true)
      }
      case 'nothing':
        return false
    }
  }

  /** Recognises a value. One that cannot be read completely is malformed, since later phases read all of it. */
  #recognise({ value, fallbackName, expected }: Candidate): Recognised {
    let found: Recognised
    try {
      found = recognise(value, fallbackName, expected)
    } catch (thrown) {
      return unreadable(whyUnreadable(value) ?? thrownText(thrown))
    }
    const isDefinition = found.is !== 'container' && found.is !== 'nothing' && found.is !== 'malformed'
    const why = isDefinition ? whyUnreadable(value, this.#read) : undefined
    return why === undefined ? found : unreadable(why)
  }

  #addIdea(candidate: Candidate): boolean {
    const { value, path, label, fallbackName: name, locator } = candidate
    if (name === '') return this.#refuse(candidate, noIdeaName)
    this.#seen.add(value)
    const read = readIdea(name, value)
    const locate = locator(path, name)
    if ('why' in read) {
      this.findings.push({
        rule: 'malformed-idea',
        severity: 'error',
        message: `The ${label} is not an Idea that can be called: ${read.why}`,
        fix: read.fix,
        at: locate(read.pointer),
      })
      return true
    }
    const { tool, idea, pointerOf } = read
    this.definitions.push({
      kind: 'tool',
      name,
      value: tool,
      idea,
      get at() {
        return locate('')
      },
      locate: (pointer) => locate(pointerOf(pointer)),
    })
    return true
  }

  #define(kind: LoadedDefinition['kind'], name: string, candidate: Candidate, tool?: string): true {
    const { value, path } = candidate
    this.#seen.add(value)
    const locate = candidate.locator(path, tool)
    this.definitions.push({
      kind,
      name,
      // Safe cast: only objects are recognised.
      value: value as object,
      get at() {
        return locate('')
      },
      locate,
    })
    return true
  }

  #refuse({ value, path, label, locator }: Candidate, { why, fix }: { why: string; fix: string }): true {
    this.#seen.add(value)
    this.findings.push({
      rule: 'malformed-tool',
      severity: 'error',
      message: `The ${label} is not a Tool: ${why}.`,
      fix,
      at: locator(path)(''),
    })
    return true
  }
}

function unreadable(why: string): Recognised {
  return {
    is: 'malformed',
    why: `reading it throws: ${why}`,
    fix: 'Export plain data: a definition has no getters, and is no proxy.',
  }
}

const noIdeaName = {
  why: 'it is an Idea, and nothing gives it a name',
  fix: 'Export it by the name of its Tool: export const summarise = new Idea({ … }).',
}

const noName = {
  why: 'nothing gives it a name',
  fix: 'Declare "_tool" as the literal of its name: { "properties": { "_tool": { "const": "weatherCheck" } } }.',
}
