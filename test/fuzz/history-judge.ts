type Item = Readonly<Record<string, unknown>>

/**
 * What a provider would refuse of the conversation in a request, by the rules that their documentation and their errors
 * state, and servers of open models with them; written apart from the code that makes the requests.
 */
export const refusals: Readonly<Record<'chat' | 'responses' | 'messages', (body: object) => string[]>> = {
  chat(body) {
    const messages = itemsOf(body, 'messages')
    const found: string[] = []
    let open: unknown[] = []
    // Gemini, Mistral and the templates of open models.
    if (!messages.some(({ role }) => role === 'user')) found.push('nothing of a user')
    for (const [at, message] of messages.entries()) {
      const { role, content, tool_calls, tool_call_id } = message
      if (role === 'tool') {
        if (!open.includes(tool_call_id)) found.push(`${at}: a result of no call`)
        if (typeof content !== 'string') found.push(`${at}: a result that is no text`)
        open = open.filter((id) => id !== tool_call_id)
        continue
      }
      if (open.length > 0) found.push(`${at}: calls without results before it`)
      open = []
      if (!['system', 'user', 'assistant'].includes(String(role))) found.push(`${at}: the role ${role}`)
      // Mistral.
      if (role === 'user' && messages[at - 1]?.role === 'tool') found.push(`${at}: a user after results`)
      if (typeof content !== 'string' && !(role === 'assistant' && tool_calls))
        found.push(`${at}: no content`)
      const calls = tool_calls as readonly Item[] | undefined
      if (role === 'assistant' && !calls && typeof content !== 'string') found.push(`${at}: nothing was said`)
      if (calls?.length === 0) found.push(`${at}: an empty list of calls`)
      for (const { id, type, function: called } of calls ?? []) {
        if (typeof id !== 'string' || open.includes(id)) found.push(`${at}: the id ${id}`)
        if (type !== 'function') found.push(`${at}: the type ${type}`)
        found.push(...unreadable(at, (called as Item).arguments), ...unnamed(at, (called as Item).name))
        open.push(id)
      }
    }
    return open.length > 0 ? [...found, 'calls without results at the end'] : found
  },

  responses(body) {
    const found: string[] = []
    const open: unknown[] = []
    for (const [at, item] of itemsOf(body, 'input').entries()) {
      const { type, role, content, call_id, output } = item
      if (type === 'function_call') {
        if (open.includes(call_id)) found.push(`${at}: the id ${call_id} twice`)
        open.push(call_id)
        found.push(...unreadable(at, item.arguments), ...unnamed(at, item.name))
      } else if (type === 'function_call_output') {
        if (!open.includes(call_id)) found.push(`${at}: a result of no call`)
        else open.splice(open.indexOf(call_id), 1)
        if (typeof output !== 'string') found.push(`${at}: a result that is no text`)
      } else if (role !== undefined && !['system', 'user', 'assistant'].includes(String(role))) {
        found.push(`${at}: the role ${role}`)
      } else if (typeof role !== 'string' || content === undefined)
        found.push(`${at}: neither a message nor a call`)
    }
    return open.length > 0 ? [...found, 'calls without results'] : found
  },

  messages(body) {
    const found: string[] = []
    let open: unknown[] = []
    const messages = itemsOf(body, 'messages')
    const sent = itemsOf(body, 'tools') ?? []
    const deferred = sent.filter(({ defer_loading }) => defer_loading).map(({ name }) => name)
    if (sent.length > 0 && deferred.length === sent.length) found.push('all tools are kept back')
    for (const [at, { role, content }] of messages.entries()) {
      if (role !== (at % 2 === 0 ? 'user' : 'assistant')) found.push(`${at}: the turn of ${role}`)
      const blocks = content as readonly Item[]
      if (blocks.length === 0) found.push(`${at}: no content`)
      if (blocks.some(({ type, text }) => type === 'text' && String(text).trim() === '')) {
        found.push(`${at}: a text of nothing`)
      }
      const results = blocks.filter(({ type }) => type === 'tool_result')
      const shown = results.flatMap(({ content }) => (Array.isArray(content) ? content : [])) as Item[]
      for (const { type, tool_name } of shown) {
        if (type === 'tool_reference' && !deferred.includes(tool_name))
          found.push(`${at}: shows ${tool_name}`)
      }
      if (results.some((result, place) => blocks[place] !== result)) found.push(`${at}: results after others`)
      const answered = results.map(({ tool_use_id }) => tool_use_id)
      if (!isSameSet(answered, open)) found.push(`${at}: results of ${answered}, where ${open} were called`)
      open = blocks.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : []))
      if (role === 'user' && open.length > 0) found.push(`${at}: calls of a user`)
      for (const { type, name, input } of blocks) {
        if (type === 'tool_use') found.push(...unnamed(at, name))
        if (type === 'tool_use' && !isObject(input)) found.push(`${at}: arguments that are no object`)
      }
    }
    if (messages.at(-1)?.role !== 'user') found.push('the last turn is not a user’s')
    return found
  },
}

/** Halves of characters, which JSON spells with an escape of its own. */
export function halves(body: object): string[] {
  return /(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(JSON.stringify(body)) ? ['half a character'] : []
}

function itemsOf(body: object, member: string): readonly Item[] {
  return (body as Item)[member] as readonly Item[]
}

/** Servers of open models parse the arguments of every earlier call, and want an object. */
function unreadable(at: number, given: unknown): string[] {
  try {
    return isObject(JSON.parse(given as string)) ? [] : [`${at}: arguments that are no object`]
  } catch {
    return [`${at}: arguments that are no JSON`]
  }
}

function unnamed(at: number, name: unknown): string[] {
  return /^[a-zA-Z0-9_-]{1,64}$/.test(String(name)) ? [] : [`${at}: the name ${name}`]
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isSameSet(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && new Set([...left, ...right]).size === left.length
}
