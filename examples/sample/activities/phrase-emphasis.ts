import { Activity } from '../../../generated/index.js'

Activity.register('PhraseEmphasis.bold', ({ phrase }) => `**${phrase}**`)
Activity.register('PhraseEmphasis.italic', ({ phrase }) => `*${phrase}*`)
