import { spawnSync } from 'node:child_process'

/** What npm says when it cannot reach a registry. */
const unreachable = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED)\b/

/**
 * Installs the packages of a folder of tests, which are too large, or too many, for the project's own. Without a registry it says
 * so, and the tests report that they were skipped; anything else that goes wrong ends the process, a lock file out of step above all.
 *
 * @param {string} folder
 * @param {string} what Named in the message.
 * @returns {boolean} True if they are installed.
 */
export function installApart(folder, what) {
  const { status, stderr } = spawnSync('npm', ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit'], {
    encoding: 'utf8',
  })
  if (status === 0) return true
  if (!unreachable.test(stderr)) {
    console.error(stderr)
    process.exit(1)
  }
  console.error(`${what} cannot be installed: no registry is reached. Their tests are skipped.`)
  return false
}

/** Runs tests, and ends the process with their exit code. */
export function runTests(...args) {
  process.exit(spawnSync('npx', ['vitest', 'run', ...args], { stdio: 'inherit' }).status ?? 1)
}
