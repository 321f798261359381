import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Call } from 'callsheet'
import { Agent, type AgentResult, type ConnectionOptions, type Turn } from 'callsheet/agent'
import { Tool } from '../../generated/index.js'
import { scriptFor } from './script.js'
import '../sample/activities/notes.js'
import '../sample/activities/phrase-emphasis.js'
import '../sample/activities/text-files.js'

const texts = fileURLToPath(new URL('../sample/texts', import.meta.url))

/** The agent's task. */
export const task = 'How deep is the deepest fjord? Look it up, and make a note of it.'

/** Chooses the model: a live one if the environment has a server or a key, otherwise the script. */
export function modelFromEnvironment(): { readonly model: string; readonly isLive: boolean } {
  const { OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL } = process.env
  const isLive = Boolean(OPENAI_BASE_URL || OPENAI_API_KEY)
  return { isLive, model: isLive ? (OPENAI_MODEL ?? 'gpt-5-mini') : 'the script' }
}

/** Runs an agent on the texts of the sample until it has an answer. */
export async function runAgentSample(
  { model, isLive }: { readonly model: string; readonly isLive: boolean },
  onTurn: (turn: Turn) => void,
): Promise<AgentResult<string>> {
  const folder = await mkdtemp(join(tmpdir(), 'callsheet-agent-'))
  const notes = join(folder, 'notes.md')
  // Server and key of a live model come from the environment; a local server may want no key, but the client does.
  const connection: ConnectionOptions = isLive
    ? { apiKey: process.env.OPENAI_API_KEY || 'none' }
    : { client: scriptFor({ texts, notes }) }
  try {
    return await Agent<string>({
      model,
      ...connection,
      tools: Tool,
      context: [
        { type: 'text', text: task },
        {
          type: 'input',
          input: { texts, notes },
          description: 'Where the texts are, and the file for notes.',
        },
      ],
      output: { type: 'string', description: 'The answer, in one sentence.' },
      maxTurns: 8,
      confirm: (call) => staysInside(call, [texts, folder]) || { refuse: 'it leads out of the sample' },
      onTurn,
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** True if every path in a Call is inside one of the folders, so that a model cannot choose what it reads. */
function staysInside(call: Call, folders: readonly string[]): boolean {
  const where = call.where as { folder?: unknown } | undefined
  const place = call.place as { file?: unknown } | undefined
  const named = [call.file, call.folder, where?.folder].filter((path) => typeof path === 'string')
  const base = typeof call.folder === 'string' ? call.folder : ''
  const inPlace = typeof place?.file === 'string' ? [join(base, place.file)] : []
  return [...named, ...inPlace].every((path) => folders.some((folder) => isInside(folder, path)))
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, resolve(path))
  return !way.startsWith('..') && !isAbsolute(way)
}
