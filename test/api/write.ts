// Writes what the package publishes, entry by entry: npm run api
import { writeFileSync } from 'node:fs'
import { apiReports } from './report.ts'

for (const { path, text } of apiReports()) writeFileSync(new URL(`../../${path}`, import.meta.url), text)
