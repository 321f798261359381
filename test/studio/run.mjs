// Installs a browser apart and runs the studio's tests in it: `npm run studio-test`. Without a registry to install from, the
// tests are reported as skipped; anything else that goes wrong is a failure, a lock file out of step above all.
import { spawnSync } from 'node:child_process'

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
const tests = spawnSync('npx', ['vitest', 'run', 'test/studio'], { stdio: 'inherit' })
process.exit(tests.status ?? 1)
