import { expect, test } from 'vitest'
import type { Approval, Decision } from '../../../../runtime/agent/approvals/approval.ts'
import { decisionProblem } from '../../../../runtime/durable/decisions.ts'

test('DUR-3 a decision too deep to be recorded is refused, where it would be taken otherwise', () => {
  const approval = { id: 'a', hash: 'h', scope: 'call', calls: [{ _tool: 'pay' }] } as unknown as Approval
  const decision: Decision = { approval: 'a', hash: 'h', approve: true }
  expect(decisionProblem(decision, [approval])).toBeUndefined()
  const deep: unknown = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)
  expect(decisionProblem({ ...decision, deep } as Decision, [approval])).toMatch(/nests too deep/)
})
