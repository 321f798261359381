import { spawn } from 'node:child_process'

/** The command that opens a URL, by platform. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  // The empty title is needed: `start` takes its first quoted argument as the title.
  win32: ['cmd', '/c', 'start', '""'],
}

/** Opens a local URL in the default browser. @returns false if that failed. */
export function openInBrowser(url: string): Promise<boolean> {
  const [command, ...args] = openers[process.platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
