// Installs the durable engines apart and runs their suites: `npm run durable`. Without a registry to install from, the
// suites are reported as skipped; anything else that goes wrong is a failure, a lock file out of step above all.
import { spawnSync } from 'node:child_process'
import { rmSync, symlinkSync } from 'node:fs'

/** What npm says when it cannot reach a registry. */
const unreachable = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED)\b/

const install = spawnSync('npm', ['ci', '--prefix', 'test/durable', '--ignore-scripts', '--no-audit'], {
  encoding: 'utf8',
})
if (install.status === 0) {
  // The workers import the package as its users do.
  rmSync('test/durable/node_modules/callsheet', { force: true })
  symlinkSync('../../..', 'test/durable/node_modules/callsheet')
} else {
  if (!unreachable.test(install.stderr)) {
    console.error(install.stderr)
    process.exit(1)
  }
  console.error('The engines cannot be installed: no registry is reached. Their suites are skipped.')
}
spawnSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
const tests = spawnSync('npx', ['vitest', 'run', 'test/durable', ...process.argv.slice(2)], {
  stdio: 'inherit',
})
process.exit(tests.status ?? 1)
