// Installs the durable engines apart and runs their suites: `npm run durable`.
import { spawnSync } from 'node:child_process'
import { rmSync, symlinkSync } from 'node:fs'
import { installApart, runTests } from '../install-apart.mjs'

if (installApart('test/durable', 'The engines')) {
  // The workers import the package as its users do.
  rmSync('test/durable/node_modules/callsheet', { force: true })
  symlinkSync('../../..', 'test/durable/node_modules/callsheet')
}
spawnSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
runTests('test/durable', ...process.argv.slice(2))
