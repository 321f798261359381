import { isCallsheetError } from '../../runtime/errors.ts'
import type { Explanation } from '../explain/explain.ts'
import { findingText } from '../findings/finding-text.ts'
import { GeneratorError } from '../generator-error.ts'
import type { Command, Given } from './command.ts'
import { configOptions } from './config-options.ts'
import { readSources } from './read-sources.ts'
import { styleFor } from './style.ts'
import { type ExitCode, exitCode, type Terminal } from './terminal.ts'

export const explainCommand: Command = {
  operands: '[TOOL]',
  about: `Shows one Tool in each configured dialect: the schema that a model gets, its size in bytes and (if
gpt-tokenizer is installed) in tokens, and what the dialect does not carry as declared. With --plan, checks a
plan and draws which Calls read from which, as a Mermaid flowchart.`,
  options: {
    plan: {
      type: 'string',
      value: 'FILE',
      help: 'A plan as JSON: a list of Calls, a plan Message or a solution; - for standard input.',
    },
  },
  examples: [
    ['callsheet explain weatherCheck', 'when a model does not do what a Tool asks for'],
    ['callsheet explain weatherCheck --format json', 'for other programs'],
    ['callsheet explain --plan plan.json > plan.mmd', 'to see what waits for what'],
  ],
  run: explainTool,
}

async function explainTool(given: Given, terminal: Terminal): Promise<ExitCode> {
  const file = given.values.get('plan')
  if (file !== undefined) return drawPlan(file, given, terminal)
  const [name, ...more] = given.operands
  if (name === undefined || more.length > 0) {
    const got = name === undefined ? 'none' : given.operands.join(', ')
    throw new GeneratorError('invalid_usage', [
      {
        message: `explain takes the name of one Tool, got ${got}.`,
        fix: 'Name one: callsheet explain weatherCheck.',
      },
    ])
  }
  const { explain } = await import('../explain/explain.ts')
  const explanations = await explain(name, configOptions(given, terminal))
  if (given.values.get('format') === 'json') {
    terminal.out(`${JSON.stringify(explanations, null, 2)}\n`)
    return exitCode.ok
  }
  for (const each of explanations) terminal.out(await explanationText(each, terminal))
  const hasTokens = explanations.some(({ dialects }) => dialects.some(({ tokens }) => tokens !== undefined))
  if (!hasTokens && !given.flags.has('silent')) {
    terminal.err('To count tokens, install gpt-tokenizer: npm install --save-dev gpt-tokenizer\n')
  }
  return exitCode.ok
}

async function drawPlan(file: string, given: Given, terminal: Terminal): Promise<ExitCode> {
  if (given.operands.length > 0) {
    throw new GeneratorError('invalid_usage', [
      { message: '--plan cannot be combined with a Tool.', fix: 'Explain one of them.' },
    ])
  }
  const options = configOptions(given, terminal)
  const wanted = 'a plan as JSON: a list of Calls, a plan Message or a solution'
  const [source] = await readSources([file], options.cwd ?? terminal.cwd, terminal, wanted)
  if (source && source.findings.length > 0) {
    for (const finding of source.findings) terminal.err(`${findingText(finding).trimEnd()}\n`)
    return exitCode.findings
  }
  const { explainPlan } = await import('../explain/explain-plan.ts')
  try {
    terminal.out(await explainPlan(source?.data, options))
    return exitCode.ok
  } catch (error) {
    if (!isCallsheetError(error)) throw error
    terminal.err(`${error.message}\n`)
    return exitCode.findings
  }
}

async function explanationText(
  { tool, at, effects, findings, dialects }: Explanation,
  terminal: Terminal,
): Promise<string> {
  const { dialectParts, sizeTable } = await import('../explain/explanation-text.ts')
  const style = styleFor(terminal.colours)
  const said = effects === undefined ? '' : `, effects: ${effects}`
  const notes = findings.map((finding) => `${findingText(finding).trimEnd()}\n`).join('')
  const parts = dialectParts(dialects).map(({ title, text }) => `\n${style.bold(title)}\n${text}`)
  const head = `${style.bold(tool)} (${at.file}:${at.line}:${at.column}${said})`
  return `${head}\n${notes}\n${sizeTable(dialects)}${parts.join('')}`
}
