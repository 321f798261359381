// A payment that waits for a person. The first process exits while it waits; the second continues:
//   tsx examples/approvals/main.ts ask     run.json ledger.txt
//   tsx examples/approvals/main.ts approve run.json ledger.txt
import { readFile, writeFile } from 'node:fs/promises'
import type { Decision, SuspendedRun } from 'callsheet/agent'
import { runPayments } from './payments.js'

const [what = 'ask', file = 'run.json', ledger = 'ledger.txt'] = process.argv.slice(2)

if (what === 'ask') {
  const run = await runPayments(ledger)
  if ('output' in run) throw new Error('Nothing had to be approved.')
  await writeFile(file, JSON.stringify(run.suspended, null, 2))
  for (const { calls, effects } of run.suspended.approvals) console.log('Waits for approval:', effects, calls)
} else {
  const suspended = JSON.parse(await readFile(file, 'utf8')) as SuspendedRun
  // The id and hash bind each decision to what the person has seen.
  const decisions = suspended.approvals.map(
    ({ id, hash }): Decision => ({ approval: id, hash, approve: what === 'approve' }),
  )
  const run = await runPayments(ledger, suspended, decisions)
  console.log('output' in run ? run.output : 'It waits again.')
}
