import type { AgentTools } from '../../../runtime/agent/loop/agent-options.ts'
import type { Events } from '../../../runtime/call/events.ts'
import type { ComposableTool } from '../../../runtime/compose/composable.ts'
import type { ServedRunOptions } from '../../../runtime/server/call-runner.ts'
import { outcomeJson } from '../../../runtime/server/outcome-json.ts'
import { loadConfig } from '../../config/load-config.ts'
import { findTokenCounter } from '../../explain/token-counter.ts'
import { loadProject, type ProjectOptions } from '../../project/load-project.ts'
import type { Told, Workbench } from './workbench.ts'

/** The registry's events that the studio shows, with the studio's names for them. */
const shown = {
  'activity:progress': 'progress',
  'activity:retry': 'retry',
  'activity:missing': 'missing',
  'activity:latent': 'latent',
} as const satisfies Partial<Record<keyof Events, Told['event']>>

/**
 * Creates the bench of a project that is loaded into this process.
 *
 * @param runOptionsOf Reads the options of every Call from the additional loaded files.
 * @throws GeneratorError `invalid_usage`, `invalid_config`, `cannot_read`.
 */
export async function projectBench(
  options: ProjectOptions,
  runOptionsOf: (exports: ReadonlyMap<string, Readonly<Record<string, unknown>>>) => ServedRunOptions,
): Promise<Workbench> {
  const project = await loadProject(options)
  const { root, sets } = await loadConfig(options)
  const settings = sets.find(({ output }) => output === options.output) ?? sets[0]
  const { Tool } = project
  const runOptions = runOptionsOf(project.exports)
  const tools = Tool.composable() as readonly ComposableTool[]
  const { composeOptions } = Tool as Pick<AgentTools, 'composeOptions'>
  return {
    place: root,
    isRemote: false,
    tools: tools.map(({ name, schema, activity }) => ({ name, schema, activity })),
    dialects: settings?.dialects.map(({ dialect }) => dialect) ?? [],
    composeOptions: composeOptions?.() ?? {},
    countTokens: await findTokenCounter(root),
    async run(call, { id, context, signal }, tell) {
      const stops = (Object.keys(shown) as (keyof typeof shown)[]).map((name) =>
        Tool.on(name, (data) => {
          if (data.id === id) tell({ event: shown[name], data })
        }),
      )
      try {
        return outcomeJson(await Tool.run(call, { ...runOptions, id, context, signal }))
      } finally {
        for (const stop of stops) stop()
      }
    },
  }
}
