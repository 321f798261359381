// Installs the engines apart and runs their suites: `npm run engines`.
import { installApart, runTests } from '../install-apart.mjs'

installApart('test/engines', 'The engines')
runTests('test/engines')
