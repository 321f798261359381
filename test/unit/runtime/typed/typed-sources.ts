import { emitApi } from '../../../../codegen/emit/api.ts'
import { emitIndex } from '../../../../codegen/emit/index-file.ts'
import { emitTypes } from '../../../../codegen/emit/types.ts'
import type { Model } from '../../../../codegen/model.ts'
import { settings } from '../../codegen/print/sample-model.ts'

/** What of a project's generated code has types, and in place of the rest as much as lets it compile. */
export function typedSources(model: Model): Record<string, string> {
  return {
    'types.ts': emitTypes(model, settings).text,
    'api.ts': emitApi(model, settings).text,
    'index.ts': emitIndex(model, settings).text,
    'registry.ts':
      "import type { GeneratedTool } from 'callsheet/wiring'\nexport const generatedTools: readonly GeneratedTool[] = []\n",
    'contract.ts': 'export const contract = {} as const\n',
    'search.ts': "export const searchIndex: string = ''\n",
  }
}
