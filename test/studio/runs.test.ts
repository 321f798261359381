import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Workbench } from '../../codegen/studio/bench/workbench.ts'
import { RunFolder } from '../../codegen/studio/runs/run-folder.ts'
import { Agent, type ConfirmRules, type RunEvent } from '../../runtime/agent.ts'
import { createRegistry } from '../../runtime/index.ts'
import { outcomeJson } from '../../runtime/server/outcome-json.ts'
import { scriptedModel } from '../../runtime/testing.ts'
import { type Browser, isInstalled, launch, type Page } from './browser.ts'
import { axeFindings, type OpenedStudio, openStudio, type RunningStudio, runStudio } from './opened-studio.ts'

const number = { type: 'number' } as const
const sum = (effects: string, name: string) => ({
  type: 'object',
  effects,
  properties: {
    _tool: { const: name },
    left: number,
    right: number,
    _outputPath: { type: 'string' },
    _output: number,
  },
  required: ['_tool', 'left', 'right'],
})
const { Tool, Activity } = createRegistry({ tools: { add: sum('read', 'add'), pay: sum('write', 'pay') } })
Activity.register('add', ({ left, right }) => left + right)
Activity.register('pay', ({ left }) => left)

const bench: Workbench = {
  place: '/project',
  isRemote: false,
  tools: Tool.composable(),
  dialects: ['openai'],
  composeOptions: Tool.composeOptions(),
  countTokens: undefined,
  run: async (call, { id, context, signal }) => outcomeJson(await Tool.run(call, { id, context, signal })),
}

const confirm: ConfirmRules = { effects: ['write'], ask: () => 'pending' }
const options = {
  model: 'gpt-5-mini',
  tools: Tool,
  output: number,
  context: [{ type: 'text', text: 'Add <b>these</b>.' }],
} as const
const first = { _tool: 'add', left: 1, right: 2, _outputPath: '†state.sum' }
const second = { _tool: 'add', left: '†state.sum', right: 10 }
const hostile = '<img src=x onerror="window.broken=1">'

describe.skipIf(!isInstalled)('VIEW-2 runs in a browser', () => {
  let browser: Browser
  let stop: () => Promise<void>
  let folder = ''
  const studios: RunningStudio[] = []
  const opened: OpenedStudio[] = []

  beforeAll(async () => {
    const launched = await launch()
    browser = launched.browser
    stop = launched.stop
  })
  afterAll(() => stop())
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'callsheet-runs-'))
  })
  afterEach(async () => {
    for (const { page, strangers, complaints } of opened.splice(0)) {
      await page.close()
      expect({ strangers, complaints }).toEqual({ strangers: [], complaints: [] })
    }
    for (const studio of studios.splice(0)) studio.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const logTo = (name: string) => (event: RunEvent) =>
    appendFileSync(join(folder, name), `${JSON.stringify(event)}\n`)

  async function record(name: string, calls: readonly object[]): Promise<void> {
    const client = scriptedModel([{ calls: calls as never, usage: { in: 100, out: 10 } }, { output: 13 }])
    await Agent({ ...options, confirm, client, log: logTo(name) }).catch(() => undefined)
  }

  async function open(more?: Parameters<typeof openStudio>[2]): Promise<Page> {
    const studio = await runStudio(bench, { runs: new RunFolder(folder) })
    studios.push(studio)
    const found = await openStudio(browser, studio.address, more)
    opened.push(found)
    await found.page.getByRole('link', { name: 'Runs', exact: true }).click()
    return found.page
  }

  test('more tabs than a browser has connections show the runs', async () => {
    await record('a.jsonl', [first])
    const studio = await runStudio(bench, { runs: new RunFolder(folder) })
    studios.push(studio)
    const context = await browser.newContext({})
    for (let tab = 0; tab < 8; tab++) {
      const page = await context.newPage()
      await page.goto(studio.address)
      await page.getByRole('link', { name: 'Runs', exact: true }).click()
      await page.getByRole('option', { name: /a\.jsonl/ }).waitFor()
    }
    await context.close()
  })

  test('a run is followed while it goes on', async () => {
    const page = await open()
    let goOn = (): void => undefined
    const waiting = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const client = scriptedModel([{ calls: [first, second] as never }, { output: 13 }])
    const running = Agent({
      ...options,
      client,
      log: logTo('live.jsonl'),
      run: {
        before: async () => {
          await waiting
          return undefined
        },
      },
    })
    await page.getByRole('option', { name: /live\.jsonl/ }).click()
    const steps = page.getByRole('listbox', { name: 'Steps' })
    await steps
      .getByRole('option', { name: /add.*running/ })
      .first()
      .waitFor()
    goOn()
    await running
    await page.getByText('succeeded', { exact: true }).first().waitFor()
    await steps
      .getByRole('option', { name: /Request/ })
      .first()
      .click()
    await page.getByRole('img', { name: /graph of the plan/ }).waitFor()
    await page.getByText('succeeded, after 1').waitFor()
  })

  test('a step shows what was sent, what was answered and the context that it had', async () => {
    await record('run.jsonl', [first, second])
    const page = await open()
    await page.getByRole('option', { name: /run\.jsonl/ }).click()
    const steps = page.getByRole('listbox', { name: 'Steps' })
    await steps
      .getByRole('option', { name: /Request/ })
      .nth(1)
      .click()
    const pane = page.getByRole('region', { name: /^Step/ })
    await pane.getByRole('tab', { name: 'As sent' }).click()
    await pane.getByText('Attempt 1, chat').waitFor()
    await pane.getByRole('tab', { name: 'Context' }).click()
    await pane.getByRole('heading', { name: '†state' }).waitFor()
    await pane.getByText(/\d Messages/).waitFor()
  })

  test('what waits for approval is decided, with a reason', async () => {
    await record('pay.jsonl', [{ _tool: 'pay', left: 5, right: 0 }])
    const page = await open()
    await page.getByRole('option', { name: /pay\.jsonl/ }).click()
    await page.getByRole('tab', { name: 'Approvals (1)' }).waitFor()
    await page.getByRole('button', { name: 'Refuse' }).click()
    await page.getByRole('textbox', { name: 'Why, for the model to read' }).fill('too much')
    await page.getByRole('button', { name: 'Write 1 decision' }).click()
    await page.getByText('Written to pay.decisions.json').waitFor()
    const written: unknown = JSON.parse(readFileSync(join(folder, 'pay.decisions.json'), 'utf8'))
    expect(written).toMatchObject([{ approve: false, reason: 'too much' }])
  })

  test('a run is replayed, compared and saved as a test', async () => {
    await record('one.jsonl', [first, second])
    await record('two.jsonl', [first])
    const page = await open()
    await page.getByRole('option', { name: /one\.jsonl/ }).click()
    await page.getByRole('tab', { name: 'Replay' }).click()
    await page.getByRole('button', { name: 'Replay' }).click()
    await page.getByText('All results are the same.').waitFor()
    await page.getByRole('tab', { name: 'Compare' }).click()
    await page.getByRole('combobox', { name: 'Compare with' }).selectOption('two.jsonl')
    await page.getByText('1 of 2 the same.').waitFor()
    await page.getByRole('tab', { name: 'Save as test' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save one.test.ts' }).click()
    expect((await download).suggestedFilename()).toBe('one.test.ts')
    expect(readFileSync(await (await download).path(), 'utf8')).toContain('scriptedModel(')
  })

  test('VIEW-2 a file that says other things than runs do takes nothing else with it', async () => {
    await record('pay.jsonl', [{ _tool: 'pay', left: 5, right: 0 }])
    const lines = readFileSync(join(folder, 'pay.jsonl'), 'utf8').trimEnd().split('\n')
    for (const [place, [event, path, value]] of strange.entries()) {
      const changed = lines.map((line) => {
        const data: unknown = JSON.parse(line)
        if ((data as RunEvent).event === event) setAt(data, path.split('.'), value)
        return JSON.stringify(data)
      })
      writeFileSync(join(folder, `strange-${place}.jsonl`), `${changed.join('\n')}\n`)
    }
    const page = await open()
    for (const [place, [event, path, value]] of strange.entries()) {
      await page.evaluate(`location.hash = '#/runs/strange-${place}.jsonl'`)
      const heading = page.getByRole('heading', { name: `strange-${place}.jsonl` })
      await heading.waitFor()
      for (const tab of await tabNames(page)) {
        await page.getByRole('tab', { name: tab, exact: true }).click()
        const said = opened.at(-1)?.complaints ?? []
        expect(said, `${event}.${path} = ${JSON.stringify(value)}, ${tab}`).toEqual([])
      }
    }
  })

  test.each([
    ['the run', { approvals: null }],
    ['a view of it', { steps: [null] }],
  ])('VIEW-2 what cannot be drawn takes nothing else with it: %s', async (_, spoilt) => {
    await record('one.jsonl', [first])
    await record('two.jsonl', [first])
    const page = await open()
    // No file is known that does it: the answer is spoilt on its way.
    await page.evaluate(`(() => {
      const { fetch } = window
      window.fetch = async (url, init) => {
        const answer = await fetch(url, init)
        if (!String(url).includes('one.jsonl/view')) return answer
        return Response.json({ ...(await answer.json()), ...${JSON.stringify(spoilt)} })
      }
    })()`)
    await page.getByRole('option', { name: /one\.jsonl/ }).click()
    await page.getByText(/^This cannot be shown: .*null/).waitFor()
    await page.getByRole('option', { name: /two\.jsonl/ }).click()
    await page.getByRole('heading', { name: 'two.jsonl' }).waitFor()
    await page
      .getByRole('option', { name: /Request/ })
      .first()
      .waitFor()
    expect(opened.at(-1)?.complaints.splice(0)).toEqual([expect.stringContaining('TypeError')])
  })

  test('VIEW-3 ten thousand events stay fluent', async () => {
    const lines = [
      { event: 'start', version: 1, runId: 'long', at: 1_000, model: hostile },
      ...longRun(1_000),
    ]
    writeFileSync(join(folder, 'long.jsonl'), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
    const page = await open()
    await page.getByRole('option', { name: /long\.jsonl/ }).click()
    const steps = page.getByRole('listbox', { name: 'Steps' })
    await steps.getByRole('option').first().waitFor()
    expect(await steps.getByRole('option').count()).toBeLessThan(80)
    const slowest = await page.evaluate<number>(`(async () => {
      const box = document.querySelector('.timeline .virtual-list')
      const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      let slowest = 0
      for (let top = 0; top < box.scrollHeight; top += box.scrollHeight / 40) {
        const start = performance.now()
        box.scrollTop = top
        await frame()
        slowest = Math.max(slowest, performance.now() - start)
      }
      return slowest
    })()`)
    // Milliseconds, on a machine that does other things meanwhile.
    expect(slowest).toBeLessThan(500)
    await steps.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: /^Step/ }).waitFor()
    expect(await page.evaluate('[document.images.length, window.broken ?? 0]')).toEqual([0, 0])
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [400, 1400]) {
      test(`VIEW-3 axe finds nothing in runs: ${colorScheme}, ${width} wide`, async () => {
        await record('run.jsonl', [first, second])
        await record('pay.jsonl', [{ _tool: 'pay', left: 5, right: 0 }])
        const page = await open({ colorScheme, width })
        await page.getByRole('listbox', { name: 'Runs' }).waitFor()
        await page.getByRole('option', { name: /run\.jsonl/ }).click()
        const look = async (): Promise<void> => {
          await page.waitForTimeout(150)
          expect(await axeFindings(page)).toEqual([])
        }
        await page.getByRole('listbox', { name: 'Steps' }).getByRole('option').first().click()
        await page.getByRole('img', { name: /graph of the plan/ }).waitFor()
        await look()
        for (const name of ['As sent', 'Context', 'Replay', 'Compare', 'Save as test']) {
          await page.getByRole('tab', { name }).click()
          if (name === 'Replay') await page.getByRole('button', { name: 'Replay' }).click()
          if (name === 'Compare') {
            await page.getByRole('combobox', { name: 'Compare with' }).selectOption('pay.jsonl')
          }
          await look()
        }
        await page.evaluate(`location.hash = '#/runs/pay.jsonl'`)
        await page.getByRole('button', { name: 'Refuse' }).click()
        await look()
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(
          0,
        )
      })
    }
  }
})

/** Of which event what is set to what: whoever writes into the folder can write anything. */
const strange: readonly (readonly [event: RunEvent['event'], path: string, value: unknown])[] = [
  ['start', 'model', {}],
  ['start', 'at', 'x'],
  ['start', 'at', 1e300],
  ['dispatch', 'kind', {}],
  ['dispatch', 'effects', {}],
  ['dispatch', 'call._tool', {}],
  [
    'dispatch',
    'messages',
    [
      { type: {}, text: {} },
      { type: 'data', kind: {}, data: 5 },
      { type: 'text', role: {}, text: 5 },
    ],
  ],
  ['sent', 'attempt', {}],
  ['sent', 'body', 5],
  ['settle', 'outcome.error', { code: {}, message: {}, problems: 5 }],
  ['settle', 'outcome.status', {}],
  ['settle', 'outcome.output', { usage: { in: {}, out: 'x' }, solution: { calls: [null, 5, {}] } }],
  ['end', 'error', { code: {}, message: {}, problems: 5 }],
  ['end', 'at', -1e300],
  ['end', 'suspended.approvals', 'abc'],
  ['end', 'suspended.approvals', { length: 2 }],
  ['end', 'suspended.approvals', [null, {}]],
  ['end', 'suspended.approvals.0.id', {}],
  ['end', 'suspended.approvals.0.calls', 5],
  ['end', 'suspended.approvals.0.calls', [null]],
  ['end', 'suspended.approvals.0.effects', {}],
  ['end', 'suspended.approvals.0.effects', [{}]],
  ['end', 'suspended.approvals.0.expiresAt', {}],
]

function setAt(data: unknown, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (typeof data !== 'object' || data === null) return
  if (rest.length === 0) Reflect.set(data, name, value)
  else setAt(Reflect.get(data, name), rest, value)
}

function tabNames(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(
    `[...document.querySelectorAll('[role=tab]')].map((tab) => tab.textContent.trim())`,
  )
}

/** Turns of one Request and nine Calls each. */
function longRun(turns: number): object[] {
  return Array.from({ length: turns }, (_, turn) => {
    const at = 1_000 + turn * 100
    const key = `long:${turn + 1}`
    const calls = Array.from({ length: 9 }, (_, place) => ({ _tool: 'add', left: place, right: turn }))
    const output = { solution: { calls }, usage: { in: 10, out: 1, cached: 0 } }
    return [
      { event: 'dispatch', key, kind: 'request', at, call: { _tool: 'callsheet:request' }, messages: [] },
      { event: 'settle', key, at: at + 10, outcome: { status: 'succeeded', output } },
      ...calls.flatMap((call, place) => [
        { event: 'dispatch', key: `${key}.${place}`, kind: 'call', at: at + 10, call },
        {
          event: 'settle',
          key: `${key}.${place}`,
          at: at + 20,
          outcome: { status: 'succeeded', output: hostile },
        },
      ]),
    ]
  }).flat()
}
