import { spawn } from 'node:child_process'

/** What opens an address, by platform. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  // An empty title comes first: `start` takes the first quoted text for one.
  win32: ['cmd', '/c', 'start', '""'],
}

/** Opens an address of this machine in the default browser. @returns False where nothing could open it. */
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
