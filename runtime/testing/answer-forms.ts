import { chatForm } from './chat-form.ts'
import { messagesForm } from './messages-form.ts'
import type { AnswerForm, ModelRequest } from './model-answer.ts'
import { responsesForm } from './responses-form.ts'

/** The answer format of each API. */
export const answerForms: Readonly<Record<ModelRequest['api'], AnswerForm>> = {
  chat: chatForm,
  responses: responsesForm,
  messages: messagesForm,
}
