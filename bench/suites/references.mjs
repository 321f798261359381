// What References, predictions and explanations add to what a model is sent, in tokens. Needs no peers, and no clock.
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { makeTools, realTools, toolSchema } from '../corpus.mjs'
import { ourSources } from '../our-sources.mjs'
import { atMost, grouped } from '../section.mjs'

const dialects = ['json-schema', 'openai', 'anthropic', 'gemini', 'xgrammar', 'llama.cpp']
/** Their servers hold the answer to the schema and do not show it to the model. */
const unseen = new Set(['xgrammar', 'llama.cpp'])
const activities = 'same-name'

/** @returns {Promise<import('../section.mjs').Section>} */
export async function run() {
  const sources = await ourSources()
  const real = realTools()
  const sets = [
    ['100 synthetic tools', makeTools(100)],
    ...(real ? [[`${real.length} tools of the GitHub MCP server`, real]] : []),
  ]
  const figures = sets.flatMap(([label, tools]) =>
    dialects.map((dialect) => figuresOf(sources, label, tools, dialect)),
  )
  const percent = (value) => `${(value * 100).toFixed(1)} %`
  const surcharge = ({ writing, plain }) => writing / plain - 1
  const rows = figures.map((each) => [
    `${each.label}, ${each.dialect}`,
    ...[each.silent, each.plain, each.writing].map(grouped),
    percent(surcharge(each)),
    percent(1 - each.writing / each.predicting),
  ])
  const seen = figures.filter(({ dialect }) => !unseen.has(dialect))
  const most = (of, among = seen) => Math.max(...among.map(of))
  return {
    tables: [
      {
        caption: 'References where every Tool writes, tokens of the composed schema',
        head: [
          'Tools',
          'nothing written: more',
          'without',
          'with References',
          'surcharge',
          'saved by no predictions',
        ],
        rows,
      },
      explanationTable(sources),
    ],
    targets: [
      atMost(
        'tokens that References add to a set in which nothing can be written',
        0,
        most(({ silent }) => silent),
        String,
      ),
      atMost(
        'surcharge of References where every Tool writes, in what models are shown',
        0.1,
        most(surcharge),
        percent,
      ),
      atMost(
        'surcharge of References, of what sending no predictions of declared outputs saves',
        1,
        most(
          (each) => (each.writing - each.plain) / (each.predicting - each.writing),
          seen.filter(({ declaresOutputs }) => declaresOutputs),
        ),
      ),
    ],
    notes: [
      'Minified JSON, counted with o200k_base. Every Tool is given an `_outputPath`, and an `_output` of anything where it declares none; every parameter of the first level that some output could fit admits a Reference.',
      '"Nothing written" is the same set without any `_outputPath`: what `references: \'auto\'` adds to it.',
      'XGrammar and llama.cpp hold the answer to the schema and show a model none of it, so that what References add there costs no tokens of a prompt.',
      "The last column is what is saved by `explicitOutput: 'omit'`, the default, beside `'keep'`. The tools of the GitHub server declare no outputs, so there is next to nothing to predict.",
      'Each sentence of the prompt is sent only where its field occurs in the schema; the first row is sent with every Request.',
    ],
    ...(real ? {} : { absent: ['the 117 real tools (CALLSHEET_TEST_DATA names no folder with them)'] }),
  }
}

function figuresOf({ compose, lower }, label, tools, dialect) {
  const silent = tools.map(toolSchema).map(withoutPath)
  const writing = silent.map(withPath)
  const tokens = (schemas, options) =>
    encode(JSON.stringify(lower(compose(schemas, { activities, ...options }), dialect).schema)).length
  return {
    label,
    dialect,
    declaresOutputs: silent.some(({ properties }) => properties._output !== undefined),
    silent: tokens(silent, {}) - tokens(silent, { references: 'none' }),
    plain: tokens(writing, { references: 'none' }),
    writing: tokens(writing, {}),
    predicting: tokens(writing, { explicitOutput: 'keep' }),
  }
}

function withoutPath(schema) {
  const { _outputPath, ...properties } = schema.properties
  return { ...schema, properties }
}

function withPath(schema) {
  return { ...schema, properties: { _output: {}, ...schema.properties, _outputPath: { type: 'string' } } }
}

/** What each sentence costs that the prompt has for a field. */
function explanationTable({ instructionsFor, sentences }) {
  const tokens = (text) => encode(text).length
  const bare = tokens(instructionsFor({ mode: 'composed', hasOutput: true }))
  const all = tokens(instructionsFor({ mode: 'composed', hasOutput: true, fields: Object.keys(sentences) }))
  return {
    caption: 'What the prompt explains, tokens of the system message',
    head: ['Part', 'tokens'],
    rows: [
      ['how to read the blocks of a prompt and how to answer', grouped(bare)],
      ...Object.entries(sentences).map(([field, text]) => [
        field === 'references' ? 'References' : `\`${field}\``,
        grouped(tokens(text)),
      ]),
      ['everything at once', grouped(all)],
    ],
  }
}
