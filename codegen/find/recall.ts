import type { Ranker } from '../../runtime/find/ranker.ts'
import { isJsonObject } from '../../runtime/json/json.ts'
import { withoutMark } from '../../runtime/json/without-mark.ts'
import { GeneratorError } from '../generator-error.ts'

/** A question, with the Tools that a correct answer calls. */
export interface Question {
  readonly question: string
  readonly tools: readonly string[]
}

/** How often all wanted Tools are among the first 1, 3, 5, … results. */
export interface RecallReport {
  readonly questions: number
  readonly recall: readonly { readonly at: number; readonly share: number }[]
  /** Questions whose Tools are not all among the first ten, with what was found instead. */
  readonly missed: readonly (Question & { readonly found: readonly string[] })[]
}

const places = [1, 3, 5, 10, 20] as const
const missedAt = 10

/**
 * Searches for every question and counts. A question with undeclared Tools counts as missed. Of several sets, the one that has the
 * wanted Tools first answers.
 */
export function measureRecall(questions: readonly Question[], rankers: readonly Ranker[]): RecallReport {
  const hits = places.map(() => 0)
  const missed: (Question & { found: string[] })[] = []
  for (const { question, tools } of questions) {
    const answers = rankers.map((ranker) => {
      const found = ranker.rank(question).map(({ name }) => name)
      return { found, last: Math.max(...tools.map((tool) => rankOf(tool, found))) }
    })
    const last = Math.min(...answers.map((answer) => answer.last))
    places.forEach((at, index) => {
      if (last <= at) hits[index] = (hits[index] ?? 0) + 1
    })
    const [best] = answers.filter((answer) => answer.last === last && answer.found.length > 0)
    if (last > missedAt) missed.push({ question, tools, found: best?.found.slice(0, 3) ?? [] })
  }
  const recall = places.map((at, index) => ({ at, share: (hits[index] ?? 0) / questions.length }))
  return { questions: questions.length, recall, missed }
}

/** Returns the rank of a Tool from 1; Infinity if it was not found. */
function rankOf(tool: string, found: readonly string[]): number {
  const index = found.indexOf(tool)
  return index < 0 ? Number.POSITIVE_INFINITY : index + 1
}

/**
 * Reads questions: a JSON array, or a line of JSON each, of `{ question, tools }`.
 *
 * @throws GeneratorError `invalid_usage` that lists every invalid line.
 */
export function readQuestions(text: string, name: string): Question[] {
  const rows = text.trimStart().startsWith('[') ? arrayRows(text, name) : lineRows(text)
  const faults = rows.flatMap(({ place, value }) =>
    isQuestion(value)
      ? []
      : [
          {
            message: `${name}:${place}: expected { "question": text, "tools": [names] }.`,
            fix: 'Write one question a line, with the names of all Tools that a right answer calls.',
          },
        ],
  )
  if (rows.length === 0) {
    faults.push({ message: `${name} has no questions.`, fix: 'Add a line of JSON for each question.' })
  }
  if (faults.length > 0) throw new GeneratorError('invalid_usage', faults)
  return rows.map(({ value }) => value).filter(isQuestion)
}

interface Row {
  /** The line, or the place in the list; counted from 1. */
  readonly place: number
  readonly value: unknown
}

function lineRows(text: string): Row[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    return { place: index + 1, value: parsedOrUndefined(line) }
  })
}

function arrayRows(text: string, name: string): Row[] {
  const list = parsedOrUndefined(text)
  if (Array.isArray(list)) return list.map((value: unknown, index) => ({ place: index + 1, value }))
  throw new GeneratorError('invalid_usage', [
    { message: `${name} is not JSON.`, fix: 'Write a JSON array, or one JSON object a line.' },
  ])
}

function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(withoutMark(text))
  } catch {
    return undefined // The caller reports undefined as an invalid line; JSON has no undefined.
  }
}

function isQuestion(value: unknown): value is Question {
  if (!isJsonObject(value) || typeof value.question !== 'string' || !Array.isArray(value.tools)) return false
  return value.tools.length > 0 && value.tools.every((tool) => typeof tool === 'string')
}
