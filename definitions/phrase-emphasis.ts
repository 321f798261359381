import { toolkit } from 'callsheet'
import { Type } from 'typebox'

const phrase = Type.String({ minLength: 1, description: 'The phrase to mark' })

export const PhraseEmphasis = toolkit(
  'PhraseEmphasis',
  {
    bold: { phrase, _output: Type.String() },
    italic: { phrase, _output: Type.String() },
  },
  {
    effects: 'read',
    members: {
      bold: { description: 'Makes a phrase bold, as Markdown spells it.' },
      italic: { description: 'Makes a phrase italic, as Markdown spells it.' },
    },
  },
)
