import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { oldNode } from '../../../../codegen/cli/old-node.ts'

test.each(['20.19.0', '20.20.2', '22.0.0', '24.11.1', '100.0.0'])('Node %s is new enough', (version) => {
  expect(oldNode(version)).toBeUndefined()
})

test.each(['20.18.3', '18.20.8', '20.2.0'])('Node %s is not', (version) => {
  expect(oldNode(version)?.message).toBe(`callsheet needs Node 20.19 or later, and this is Node ${version}.`)
})

test('what package.json says is the same', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } }
  expect(engines.node).toBe('>=20.19')
})
