// Starts a payment, approves it, and prints the result. It only talks to the server, over HTTP.
import type { Approval } from 'callsheet/agent'
import type { AgentRun } from 'callsheet/restate'

const {
  RESTATE_INGRESS: ingress = 'http://127.0.0.1:8080',
  RESTATE_ADMIN: admin = 'http://127.0.0.1:9070',
  WORKER: worker = 'http://127.0.0.1:9080',
} = process.env

async function post<Answer>(url: string, body: unknown): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${url} says ${response.status}: ${await response.text()}`)
  return (await response.json()) as Answer
}

// Once per deployment: register the address of the workers.
await post(`${admin}/deployments`, { uri: worker, force: true })

const run = `rent-${process.argv[2] ?? new Date().toISOString().slice(0, 7)}`
await post(`${ingress}/payer/${run}/run/send`, { task: 'Pay the rent with all that we have.' })

// The result, even if the run ended long ago: each key runs once.
let hasEnded = false
const ended = fetch(`${ingress}/restate/workflow/payer/${run}/attach`).finally(() => {
  hasEnded = true
})

let approvals: Approval[] = []
while (approvals.length === 0 && !hasEnded) {
  await new Promise((resolve) => setTimeout(resolve, 100))
  approvals = await post<Approval[]>(`${ingress}/payer/${run}/approvals`, null)
}
for (const { id, hash, calls } of approvals) {
  console.log('Approved:', calls)
  await post(`${ingress}/payer/${run}/decide`, { approval: id, hash, approve: true })
}

const { output, error } = (await (await ended).json()) as AgentRun
console.log(output ?? error)
