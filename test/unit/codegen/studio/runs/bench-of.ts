import type { Workbench } from '../../../../../codegen/studio/bench/workbench.ts'
import type { ToolApi } from '../../../../../runtime/registry/registry-api.ts'
import { outcomeJson } from '../../../../../runtime/server/outcome-json.ts'

/** The Tools of a registry in this process, as the studio works with them. */
export function benchOf(Tool: ToolApi): Workbench {
  return {
    place: '/project',
    isRemote: false,
    tools: Tool.composable(),
    dialects: [],
    composeOptions: {},
    countTokens: undefined,
    run: async (call, { id, context, signal }) => outcomeJson(await Tool.run(call, { id, context, signal })),
  }
}
