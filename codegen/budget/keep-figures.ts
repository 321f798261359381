import { dirname, resolve } from 'node:path'
import { emitDialects } from '../emit/dialects.ts'
import type { CountTokens } from '../explain/token-counter.ts'
import { hasError } from '../findings/has-error.ts'
import { GeneratorError } from '../generator-error.ts'
import type { ReadSet } from '../read-models.ts'
import { readIfPresent, realFileSystem } from '../write/file-system.ts'
import { replaceFile } from '../write/replace-file.ts'
import { measureSet } from './measured-set.ts'
import { ratchetText, readRatchet } from './ratchet.ts'
import type { RatchetMode } from './ratchet-modes.ts'

/**
 * Writes the sizes of every set into the ratchet file of its budget.
 *
 * @throws GeneratorError `invalid_usage` if no budget has a ratchet file, or a definition has an error.
 */
export function keepFigures(
  mode: RatchetMode,
  read: readonly ReadSet[],
  count: CountTokens | undefined,
): void {
  const kept = new Map<string, ReadSet[]>()
  for (const set of read) {
    const { root, budget } = set.settings
    if (budget.ratchet === undefined) continue
    const path = resolve(root, budget.ratchet)
    kept.set(path, [...(kept.get(path) ?? []), set])
  }
  if (kept.size === 0) {
    throw wrongUse(
      'No budget sets `ratchet`, the file that stores the figures.',
      "Configure budget: { ratchet: 'callsheet.budget.json' }.",
    )
  }
  if (read.some(({ findings }) => hasError(findings))) {
    throw wrongUse(
      'The definitions have errors, so their figures would be meaningless.',
      'Fix the errors that callsheet lint reports first.',
    )
  }
  for (const [path, sets] of kept) {
    const measured = sets.map(({ settings, model }) => ({
      output: settings.output,
      weights: measureSet(emitDialects(model, settings), model, { ...settings, budget: {} }, count).weights,
    }))
    const text = ratchetText(mode, readRatchet(path, realFileSystem), measured)
    const before = readIfPresent(path, realFileSystem)
    if (before === undefined) {
      realFileSystem.mkdirSync(dirname(path), { recursive: true })
      realFileSystem.writeFileSync(path, text)
    } else replaceFile(path, before, text, realFileSystem)
  }
}

function wrongUse(message: string, fix: string): GeneratorError {
  return new GeneratorError('invalid_usage', [{ message, fix }])
}
