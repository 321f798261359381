import { chatApi } from './chat-api.ts'
import { messagesApi } from './messages-api.ts'
import type { ApiName, ModelApi } from './reply.ts'
import { responsesApi } from './responses-api.ts'

export const modelApis: Readonly<Record<ApiName, ModelApi>> = {
  chat: chatApi,
  responses: responsesApi,
  messages: messagesApi,
}
