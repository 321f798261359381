import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const require = createRequire(fileURLToPath(new URL('package.json', import.meta.url)))

/** Where `npm run studio-test` unpacks the browser that npm brings. */
const unpacked = fileURLToPath(new URL('node_modules/.chromium/chromium', import.meta.url))

/** True where `npm run studio-test` has installed a browser. Elsewhere its tests are skipped, and the runner says so. */
export const isInstalled: boolean =
  existsSync(new URL('node_modules/playwright-core/package.json', import.meta.url)) &&
  (process.env.CALLSHEET_CHROMIUM !== undefined || existsSync(unpacked))

/** The parts of `playwright-core` that are used; its types are not there where it is not installed. */
export interface Page {
  goto(url: string): Promise<unknown>
  getByRole(role: string, options?: { name?: string | RegExp; exact?: boolean; checked?: boolean }): Locator
  getByText(text: string | RegExp, options?: { exact?: boolean }): Locator
  locator(selector: string): Locator
  evaluate<Result>(script: string): Promise<Result>
  on(event: 'request', listener: (request: { url(): string }) => void): void
  on(event: 'console', listener: (message: ConsoleMessage) => void): void
  on(event: 'pageerror', listener: (error: Error) => void): void
  waitForEvent(event: 'download'): Promise<Download>
  screenshot(options: { path: string }): Promise<unknown>
  waitForTimeout(milliseconds: number): Promise<void>
  setViewportSize(size: { width: number; height: number }): Promise<void>
  emulateMedia(options: { colorScheme: 'light' | 'dark' }): Promise<void>
  readonly keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> }
  close(): Promise<void>
}

interface ConsoleMessage {
  type(): string
  text(): string
  location(): { readonly url: string }
}

export interface Download {
  suggestedFilename(): string
  path(): Promise<string>
}

export interface Locator {
  click(): Promise<void>
  fill(text: string): Promise<void>
  focus(): Promise<void>
  press(key: string): Promise<void>
  selectOption(option: string | { label: string }): Promise<unknown>
  waitFor(options?: { state: 'visible' | 'hidden' }): Promise<void>
  count(): Promise<number>
  textContent(): Promise<string>
  inputValue(): Promise<string>
  isVisible(): Promise<boolean>
  getByRole: Page['getByRole']
  getByText: Page['getByText']
  locator: Page['locator']
  first(): Locator
  nth(index: number): Locator
}

export interface Browser {
  newContext(options: object): Promise<{ newPage(): Promise<Page>; close(): Promise<void> }>
  close(): Promise<void>
}

/** What keeps a browser from asking anybody for anything, and from needing rights that a container has not. */
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts Chromium: Debian's where `CALLSHEET_CHROMIUM` names it, or the one that npm brought. */
export async function launch(): Promise<{ readonly browser: Browser; stop(): Promise<void> }> {
  const { chromium } = require('playwright-core') as {
    chromium: { launch(options: object): Promise<Browser> }
  }
  const profile = mkdtempSync(join(tmpdir(), 'callsheet-studio-'))
  const browser = await chromium.launch({
    executablePath: process.env.CALLSHEET_CHROMIUM ?? unpacked,
    headless: true,
    args: flags,
    env: { ...process.env, HOME: profile },
  })
  return {
    browser,
    async stop() {
      await browser.close()
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

/** The source of axe, which looks for what keeps people out. */
export function axePath(): string {
  return require.resolve('axe-core/axe.min.js')
}
