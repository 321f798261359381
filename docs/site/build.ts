// Builds the site into docs/site/dist: npm run docs
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { writeApiPages } from './api.ts'
import { siteProblems } from './check-site.ts'
import { writeLandingPage } from './landing.ts'
import { layOutPages, root } from './lay-out.ts'
import { writeForModels } from './llms.ts'

const dist = join(root, 'docs/site/dist')

layOutPages()
writeApiPages()
writeLandingPage()
const vitepress = join(root, 'docs/site/node_modules/vitepress/bin/vitepress.js')
execFileSync(process.execPath, [vitepress, 'build', join(root, 'docs/site')], { stdio: 'inherit' })
writeForModels(dist)

const problems = siteProblems(dist, process.env.DOCS_BASE ?? '/')
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
else console.log(`The site is in ${dist}.`)
