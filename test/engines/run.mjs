// Installs the engines apart and runs their suites: `npm run engines`. Without a registry to install from, the suites
// are reported as skipped; anything else that goes wrong is a failure, a lock file out of step above all.
import { spawnSync } from 'node:child_process'

/** What npm says when it cannot reach a registry. */
const unreachable = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED)\b/

const install = spawnSync('npm', ['ci', '--prefix', 'test/engines', '--ignore-scripts', '--no-audit'], {
  encoding: 'utf8',
})
if (install.status !== 0) {
  if (!unreachable.test(install.stderr)) {
    console.error(install.stderr)
    process.exit(1)
  }
  console.error('The engines cannot be installed: no registry is reached. Their suites are skipped.')
}
const tests = spawnSync('npx', ['vitest', 'run', 'test/engines'], { stdio: 'inherit' })
process.exit(tests.status ?? 1)
