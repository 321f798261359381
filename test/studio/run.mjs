// Installs a browser apart and runs the studio's tests in it: `npm run studio-test`.
import { existsSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { installApart, runTests } from '../install-apart.mjs'

installApart('test/studio', 'The browsers')
await unpack()
runTests('test/studio')

/** Before any test: of two test files that unpack it at once, one starts what the other is still writing. */
async function unpack() {
  const packed = new URL('node_modules/@sparticuz/chromium/build/index.js', import.meta.url)
  if (!existsSync(packed) || `${process.platform}-${process.arch}` !== 'linux-x64') return
  // The package unpacks into the folder for temporary files, where one of another time may lie, or half of one.
  const folder = fileURLToPath(new URL('node_modules/.chromium/', import.meta.url))
  mkdirSync(folder, { recursive: true })
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  await (await import(packed.href)).default.executablePath()
  if (before === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = before
}
