import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { listen } from '../../codegen/cli/listen.ts'
import type { Workbench } from '../../codegen/studio/bench/workbench.ts'
import { studioServer } from '../../codegen/studio/server/studio-server.ts'
import { createRegistry } from '../../runtime/index.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import { outcomeJson } from '../../runtime/server/outcome-json.ts'
import type { ListedTool } from '../data/mcp-server.ts'
import { axePath, type Browser, type Page } from './browser.ts'

/** A studio that runs in this process, for a set of Tools. */
export interface RunningStudio {
  /** The address with its token. */
  readonly address: string
  close(): void
}

export async function runStudio(
  bench: Workbench,
  more: Partial<Parameters<typeof studioServer>[0]> = {},
): Promise<RunningStudio> {
  const token = randomUUID()
  const ending = new AbortController()
  const handle = studioServer({
    bench,
    token,
    signal: ending.signal,
    onError: (error) => console.error(error),
    ...more,
  })
  const server = await listen(handle, { host: '127.0.0.1', port: 0 })
  return {
    address: `${server.url}/#token=${token}`,
    close() {
      ending.abort()
      server.close()
      server.drop()
    },
  }
}

/** A workbench for the tools of an MCP server, each with an Activity that gives back what it was called with. */
export function benchOf(listed: readonly ListedTool[]): Workbench {
  const { Tool, Activity } = createRegistry({
    tools: Object.fromEntries(listed.map((tool) => [tool.name, toolSchema(tool)])),
  })
  for (const { name } of listed) Activity.register(name, ({ _tool, ...parameters }) => parameters)
  return {
    place: 'a set of tools',
    isRemote: false,
    tools: Tool.composable(),
    dialects: ['openai', 'anthropic', 'gemini'],
    composeOptions: Tool.composeOptions(),
    countTokens: (text) => Math.ceil(text.length / 4),
    run: async (call, { id, context, signal }) => outcomeJson(await Tool.run(call, { id, context, signal })),
  }
}

function toolSchema({ name, description, inputSchema }: ListedTool): object {
  const { properties = {}, ...rest } = inputSchema as JsonSchema
  return {
    ...rest,
    type: 'object',
    ...(description !== undefined && { description }),
    properties: { _tool: { const: name }, ...properties },
  }
}

/** A page with the studio, and what went on in it that should not. */
export interface OpenedStudio {
  readonly page: Page
  /** Where requests went that did not go to the studio. */
  readonly strangers: readonly string[]
  /** What the browser complained about: faults, and what the content security policy kept from happening. */
  readonly complaints: string[]
}

export async function openStudio(
  browser: Browser,
  address: string,
  options: { readonly width?: number; readonly colorScheme?: 'light' | 'dark' } = {},
): Promise<OpenedStudio> {
  const { width = 1400, colorScheme = 'light' } = options
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
  const page = await context.newPage()
  const strangers: string[] = []
  const complaints: string[] = []
  const { origin } = new URL(address)
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(origin) && !url.startsWith('data:')) strangers.push(url)
  })
  page.on('console', (message) => {
    const isComplaint = message.type() === 'error' || message.type() === 'warning'
    if (isComplaint) complaints.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(address)
  return { page, strangers, complaints }
}

/** What axe finds: the rule, and the elements that break it. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(axePath(), 'utf8'))
  const { violations } = await page.evaluate<{
    violations: { id: string; nodes: { target: string[]; failureSummary?: string }[] }[]
  }>('axe.run(document, { resultTypes: ["violations"] })')
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id}: ${target.join(' ')} ${failureSummary}`),
  )
}
