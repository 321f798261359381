// Installs MCP servers that people use, apart, and runs the suite over their tools: `npm run servers`.
import { spawnSync } from 'node:child_process'
import { installApart, runTests } from '../install-apart.mjs'

installApart('test/servers', 'The servers')
spawnSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
runTests('test/servers')
