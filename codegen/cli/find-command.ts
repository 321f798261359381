import { resolve } from 'node:path'
import type { SearchableProject } from '../find/find.ts'
import type { RecallReport } from '../find/recall.ts'
import { GeneratorError } from '../generator-error.ts'
import { systemCode } from '../write/file-system.ts'
import type { Command, Given } from './command.ts'
import { configOptions } from './config-options.ts'
import { readText } from './read-text.ts'
import { styleFor } from './style.ts'
import { type ExitCode, exitCode, type Terminal } from './terminal.ts'

const defaultLimit = 10

export const findCommand: Command = {
  operands: '[QUESTION]',
  about: `Finds the Tools that fit a question, as Tool.find does at run time: by names, titles, descriptions, parameters,
enums and examples, offline and without a model. With --eval, asks the questions of a file and prints how often
all wanted Tools are among the first 1, 3, 5, 10 and 20.`,
  options: {
    limit: { type: 'string', value: 'N', help: `Most Tools to list. Default: ${defaultLimit}.` },
    eval: {
      type: 'string',
      value: 'FILE',
      help: 'Questions, one JSON line each: { "question": text, "tools": [names] }; - for standard input.',
    },
  },
  examples: [
    ['callsheet find "what is the weather in Oslo?"', 'to see what an agent that searches would be offered'],
    ['callsheet find --eval questions.jsonl', 'to measure descriptions before and after a change'],
    ['callsheet find --eval questions.jsonl --format json', 'for other programs'],
  ],
  run: find,
}

async function find(given: Given, terminal: Terminal): Promise<ExitCode> {
  const file = given.values.get('eval')
  const question = given.operands.join(' ').trim()
  if ((file === undefined) === (question === '')) {
    throw new GeneratorError('invalid_usage', [
      {
        message:
          file === undefined ? 'find takes a question, got none.' : '--eval takes no question beside it.',
        fix: 'Ask one: callsheet find "what is the weather in Oslo?", or a file of them: --eval questions.jsonl.',
      },
    ])
  }
  if (file !== undefined && given.values.has('limit')) {
    throw new GeneratorError('invalid_usage', [
      { message: '--eval takes no --limit: it measures the first 1 to 20.', fix: 'Leave --limit out.' },
    ])
  }
  const limit = limitOf(given)
  const { searchableProject } = await import('../find/find.ts')
  const project = await searchableProject(configOptions(given, terminal))
  return file === undefined
    ? showFound({ question, limit }, project, given, terminal)
    : showRecall(file, project, given, terminal)
}

function limitOf(given: Given): number {
  const text = given.values.get('limit')
  if (text === undefined) return defaultLimit
  const limit = Number(text)
  if (Number.isInteger(limit) && limit > 0) return limit
  throw new GeneratorError('invalid_usage', [
    { message: `--limit takes a whole number from 1, got "${text}".`, fix: 'Say --limit 5.' },
  ])
}

function showFound(
  { question, limit }: { readonly question: string; readonly limit: number },
  { sets, requireTools }: SearchableProject,
  given: Given,
  terminal: Terminal,
): ExitCode {
  requireTools()
  const found = sets.flatMap((set) =>
    set.ranker
      .rank(question)
      .slice(0, limit)
      .map((tool, index) => ({ ...tool, set, isFirst: index === 0 })),
  )
  const isOne = sets.length === 1
  if (given.values.get('format') === 'json') {
    const shown = found.map(({ name, score, set }) => ({ name, score, ...(!isOne && { set: set.output }) }))
    terminal.out(`${JSON.stringify(shown, null, 2)}\n`)
  } else {
    const style = styleFor(terminal.colours)
    for (const { name, score, set, isFirst } of found) {
      if (isFirst && !isOne) terminal.out(`${set.output}:\n`)
      const [line = ''] = (set.descriptions.get(name) ?? '').split('\n')
      terminal.out(`${score.toFixed(1).padStart(6)}  ${style.bold(name)}  ${line.slice(0, 100)}\n`)
    }
    if (found.length === 0) {
      terminal.err(
        'No Tool contains a word of this question. Add the words that people use to the descriptions of the Tools.\n',
      )
    }
  }
  return found.length > 0 ? exitCode.ok : exitCode.findings
}

async function showRecall(
  file: string,
  { sets }: SearchableProject,
  given: Given,
  terminal: Terminal,
): Promise<ExitCode> {
  const { measureRecall, readQuestions } = await import('../find/recall.ts')
  const text =
    file === '-'
      ? await terminal.readInput()
      : questionsAt(resolve(terminal.cwd, given.values.get('cwd') ?? '.', file))
  const report = measureRecall(
    readQuestions(text, file),
    sets.map(({ ranker }) => ranker),
  )
  if (given.values.get('format') === 'json') terminal.out(`${JSON.stringify(report, null, 2)}\n`)
  else terminal.out(await recallText(report, given.flags.has('silent')))
  return exitCode.ok
}

async function recallText({ questions, recall, missed }: RecallReport, isSilent: boolean): Promise<string> {
  const { textTable } = await import('../text-table.ts')
  const rows = recall.map(({ at, share }) => [String(at), share.toFixed(3)])
  const table = textTable([['among the first', 'recall'], ...rows])
  const lines = missed.map(
    ({ question, tools, found }) =>
      `  ${question.replaceAll(/\s+/g, ' ').slice(0, 90)}\n    wanted ${tools.join(', ')}; found ${found.join(', ') || 'nothing'}\n`,
  )
  const list = isSilent || missed.length === 0 ? '' : `\nNot among the first 10:\n${lines.join('')}`
  return `${questions} question${questions === 1 ? '' : 's'}\n${table}${list}`
}

function questionsAt(path: string): string {
  try {
    return readText(path)
  } catch (error) {
    if (error instanceof GeneratorError) throw error
    const code = systemCode(error)
    if (code === undefined) throw error
    const reason = code === 'ENOENT' ? 'it does not exist' : code === 'EISDIR' ? 'it is a folder' : code
    throw new GeneratorError('invalid_usage', [
      {
        message: `Cannot read ${path}: ${reason}.`,
        fix: 'Name a file of questions, or - for standard input.',
      },
    ])
  }
}
