// Installs a browser apart and runs the studio's tests in it: `npm run studio-test`. Without a registry to install from, the
// tests are reported as skipped; anything else that goes wrong is a failure, a lock file out of step above all.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What npm says when it cannot reach a registry. */
const unreachable = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED)\b/

const install = spawnSync('npm', ['ci', '--prefix', 'test/studio', '--ignore-scripts', '--no-audit'], {
  encoding: 'utf8',
})
if (install.status !== 0) {
  if (!unreachable.test(install.stderr)) {
    console.error(install.stderr)
    process.exit(1)
  }
  console.error('The browser cannot be installed: no registry is reached. Its tests are skipped.')
}
await unpack()
const tests = spawnSync('npx', ['vitest', 'run', 'test/studio'], { stdio: 'inherit' })
process.exit(tests.status ?? 1)

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
