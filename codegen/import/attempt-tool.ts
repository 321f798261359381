import { thrownText } from '../load/thrown-text.ts'
import type { Finding } from '../model.ts'
import { importFinding, quoted } from './import-finding.ts'

/**
 * Runs a step of the import for one tool. An error that nobody expected is a defect of Callsheet, or a tool that is larger than
 * the machine allows: it costs this tool alone, and is reported.
 */
export function attemptTool<Result>(
  tool: string,
  step: () => Result,
  failed: (fault: Finding) => Result,
): Result {
  try {
    return step()
  } catch (error) {
    const message = `Callsheet itself failed on ${quoted(tool)}: ${thrownText(error)}.`
    return failed(importFinding('import-failed', message, { tool }))
  }
}
