import { expect, test } from 'vitest'
import type { Approval, Decision } from '../../../../runtime/agent/approvals/approval.ts'
import { decisionProblem } from '../../../../runtime/durable/decisions.ts'

test('DUR-3 a decision too deep to be recorded is refused, where it would be taken otherwise', () => {
  const approval = { id: 'a', hash: 'h', scope: 'call', calls: [{ _tool: 'pay' }] } as unknown as Approval
  const runs = (call: object) => ({ approval: 'a', hash: 'h', approve: true, call }) as Decision
  expect(decisionProblem(runs({ _tool: 'pay' }), [approval])).toBeUndefined()
  const deep: unknown = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)
  expect(decisionProblem(runs({ _tool: 'pay', deep }), [approval])).toMatch(/nests too deep/)
})
