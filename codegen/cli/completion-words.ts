import type { Command, CommandEntry, Completing, OptionSpec, OptionSpecs } from './command.ts'
import { commonOptions } from './command.ts'
import type { Terminal } from './terminal.ts'

/** A possible word at the cursor. */
export interface Candidate {
  readonly word: string
  readonly help: string
}

/**
 * Finds the possible words at the end of a line. Returns none for free values; the shell then offers files.
 *
 * @param words The words after `callsheet`; the last is the unfinished word at the cursor.
 */
export async function candidates(
  words: readonly string[],
  commands: Readonly<Record<string, CommandEntry>>,
  terminal: Terminal,
): Promise<Candidate[]> {
  const [name = '', ...rest] = joinedAtEquals(words)
  const current = rest.at(-1)
  if (current === undefined) return startingWith(name, summaries(commands))
  if (name === 'help') return startingWith(current, rest.length > 1 ? [] : summaries(commands))
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!entry) return []
  return afterCommand(await entry.load(), rest.slice(0, -1), current, terminal)
}

async function afterCommand(
  command: Command,
  before: readonly string[],
  current: string,
  terminal: Terminal,
): Promise<Candidate[]> {
  const said: Completing =
    ('runLine' in command && (await command.completing?.(before, current, terminal))) || {}
  const options: OptionSpecs = { ...said.options, ...command.options, ...commonOptions }
  const [, named = '', value] = /^--([^=]+)=(.*)$/s.exec(current) ?? []
  if (value !== undefined) {
    const choices = choicesOf(optionNamed(named, options))
    return startingWith(
      current,
      choices.map(({ word, help }) => ({ word: `--${named}=${word}`, help })),
    )
  }
  const waiting = before.at(-1)
  const option = waiting?.startsWith('-')
    ? optionNamed(waiting.replace(/^--?/, ''), options, waiting.startsWith('--'))
    : undefined
  if (option?.type === 'string') return startingWith(current, choicesOf(option))
  if (said.operands && !current.startsWith('-')) return startingWith(current, said.operands)
  if (command.operands !== undefined && !said.options && !current.startsWith('-')) return []
  const given = new Set(before)
  const left = Object.entries(options).filter(([each]) => !given.has(`--${each}`))
  return startingWith(
    current,
    left.map(([each, { help }]) => ({ word: `--${each}`, help })),
  )
}

/** Joins options that Bash has split: it passes `--format=json` as three words. */
function joinedAtEquals(words: readonly string[]): string[] {
  const joined: string[] = []
  for (const [index, word] of words.entries()) {
    const last = joined.at(-1)
    const follows = word === '=' || words[index - 1] === '='
    if (follows && last?.startsWith('--')) joined[joined.length - 1] = last + word
    else joined.push(word)
  }
  return joined
}

function optionNamed(name: string, options: OptionSpecs, isLong = true): OptionSpec | undefined {
  if (!isLong) return Object.values(options).find(({ short }) => short === name)
  return Object.hasOwn(options, name) ? options[name] : undefined
}

function choicesOf(option: OptionSpec | undefined): Candidate[] {
  return (option?.choices ?? []).map((word) => ({ word, help: '' }))
}

function summaries(commands: Readonly<Record<string, CommandEntry>>): Candidate[] {
  return [
    ...Object.entries(commands).map(([word, { summary }]) => ({ word, help: summary })),
    { word: 'help', help: 'Show the help of a command.' },
  ]
}

/**
 * Keeps the candidates that begin with the word at the cursor. Names and texts of schemas are untrusted: one with a control
 * character, which a shell would read as a separate word or line, is left out.
 */
function startingWith(current: string, all: readonly Candidate[]): Candidate[] {
  return all
    .filter(({ word }) => word.startsWith(current) && word !== '' && !/\p{Cc}/u.test(word))
    .map(({ word, help }) => ({ word, help: firstSentence(help) }))
}

function firstSentence(text: string): string {
  const [line = ''] = text.split('\n')
  const [sentence = ''] = line.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ').split(/(?<=\.)\s/)
  return sentence.length > 100 ? `${sentence.slice(0, 99)}…` : sentence
}
