import { appendFile, readFile } from 'node:fs/promises'
import { Activity } from '../../../generated/index.js'

Activity.register('appendNote', async ({ file, note }) => {
  await appendFile(file, `- ${note}\n`)
  const notes = (await readFile(file, 'utf8')).split('\n').filter((line) => line.startsWith('- ')).length
  return { notes }
})
