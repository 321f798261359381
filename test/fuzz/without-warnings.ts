import { afterAll, beforeAll, vi } from 'vitest'

/** Keeps a file's tests from printing what they provoke: that parts of hostile input are left out. */
export function withoutWarnings(): void {
  beforeAll(() => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    vi.spyOn(globalThis.process, 'emitWarning').mockImplementation(() => {})
  })
  afterAll(() => void vi.restoreAllMocks())
}
