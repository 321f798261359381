import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { projectBench } from '../../codegen/studio/bench/project-bench.ts'
import { type ListedTool, mcpServerTools } from '../data/mcp-server.ts'
import { githubTools } from '../data/tool-sets.ts'
import { type Browser, isInstalled, launch } from './browser.ts'
import {
  axeFindings,
  benchOf,
  type OpenedStudio,
  openStudio,
  type RunningStudio,
  runStudio,
} from './opened-studio.ts'

test('VIEW-3 the page is under 250 KB compressed', () => {
  const files = ['index.html', 'studio.css', 'studio.js'].map((name) => readFileSync(`dist/studio/${name}`))
  expect(gzipSync(Buffer.concat(files), { level: 9 }).length).toBeLessThan(250_000)
})

describe.skipIf(!isInstalled)('in a browser', () => {
  let browser: Browser
  let stop: () => Promise<void>
  const studios: RunningStudio[] = []
  const opened: OpenedStudio[] = []

  beforeAll(async () => {
    const launched = await launch()
    browser = launched.browser
    stop = launched.stop
  })
  afterAll(() => stop())
  afterEach(async () => {
    for (const { page, strangers, complaints } of opened.splice(0)) {
      await page.close()
      expect({ strangers, complaints }).toEqual({ strangers: [], complaints: [] })
    }
    for (const studio of studios.splice(0)) studio.close()
  })

  async function open(
    bench: Parameters<typeof runStudio>[0],
    options?: Parameters<typeof openStudio>[2],
  ): Promise<OpenedStudio['page']> {
    const studio = await runStudio(bench)
    studios.push(studio)
    const found = await openStudio(browser, studio.address, options)
    opened.push(found)
    return found.page
  }

  const sample = () => projectBench({ cwd: process.cwd() }, () => ({}))

  test('VIEW-1 a Call is filled in, refused, corrected and run', async () => {
    const page = await open(await sample())
    await page.getByRole('searchbox', { name: 'Search Tools' }).fill('lines that hold')
    await page.getByRole('option', { name: /searchText/ }).click()
    await page.getByRole('heading', { name: 'searchText' }).waitFor()

    await page.getByRole('button', { name: /^Run/ }).click()
    const outcome = page.getByRole('region', { name: 'Outcome' })
    await outcome.getByText('invalid_call').waitFor()
    const form = page.getByRole('region', { name: 'Form' })
    await form.getByText('expected a string of at least 1 character, got nothing').waitFor()

    await form.getByRole('textbox', { name: 'query', exact: true }).fill('glacier')
    await form.getByRole('textbox', { name: 'folder', exact: true }).fill('examples/sample/texts')
    await form.getByRole('button', { name: 'Set options' }).click()
    await form.getByRole('textbox', { name: 'limit', exact: true }).fill('200')
    await form.getByText('expected an integer from 1 to 100, got 200').waitFor()
    await form.getByRole('textbox', { name: 'limit', exact: true }).fill('2')
    await page.getByText('Passes the check').waitFor()
    await page.keyboard.press('Control+Enter')
    await outcome.getByText('succeeded', { exact: true }).waitFor()
    await outcome.getByText('A glacier is ice that moves under its own weight.').waitFor()
  })

  test('VIEW-1 nothing passes before it is checked', async () => {
    const page = await open(await sample())
    await page.getByRole('option', { name: /searchText/ }).waitFor()
    const hasPassed = `new Promise((resolve) => {
      let hasPassed = false
      const observer = new MutationObserver(() => {
        const text = document.body.innerText
        hasPassed ||= text.includes('Passes the check')
        if (/problems? left/.test(text)) resolve(hasPassed)
      })
      observer.observe(document.body, { subtree: true, childList: true, characterData: true })
      const options = [...document.querySelectorAll('[role=option]')]
      options.find(({ textContent }) => textContent.includes('searchText')).click()
    })`
    expect(await page.evaluate(hasPassed)).toBe(false)
  })

  test('VIEW-1 form and JSON always show the same value', async () => {
    const page = await open(await sample())
    await page.getByRole('option', { name: /searchText/ }).click()
    const form = page.getByRole('region', { name: 'Form' })
    const editor = page.getByRole('textbox', { name: 'Parameters of searchText as JSON' })
    await form.getByRole('textbox', { name: 'query', exact: true }).fill('one')
    await expect.poll(async () => JSON.parse(await editor.textContent())).toEqual({ query: 'one', where: {} })

    await editor.fill('{"query": "two", "where": {"folder": "f", "extensions": [".md"]}, "more": [1]}')
    expect(await form.getByRole('textbox', { name: 'query', exact: true }).inputValue()).toBe('two')
    expect(await form.getByRole('textbox', { name: 'extensions 1', exact: true }).inputValue()).toBe('.md')
    await page.getByRole('button', { name: /^\/more: / }).waitFor()

    await editor.fill('{"query": "three"')
    await form.getByText('Shows the last valid value').waitFor()
    expect(await form.getByRole('textbox', { name: 'query', exact: true }).inputValue()).toBe('two')
  })

  test('VIEW-1 dialects stand side by side with what they lose and cost', async () => {
    const page = await open(await sample())
    await page.getByRole('option', { name: /searchText/ }).click()
    await page.getByRole('tab', { name: 'Dialects' }).click()
    await page.getByRole('heading', { name: /^openai [\d,]+ tokens$/ }).waitFor()
    await page.getByRole('checkbox', { name: /gemini/ }).click()
    await page.getByRole('heading', { name: /^gemini [\d,]+ tokens$/ }).waitFor()
    expect(await page.getByText('Not sent as declared').count()).toBeGreaterThan(0)
  })

  test('VIEW-3 the keyboard alone leads to an Outcome', async () => {
    const page = await open(await sample())
    await page.getByRole('listbox', { name: 'Tools' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('bold')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'PhraseEmphasis.bold' }).waitFor()
    // On from the list: the tabs, then the form.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type('loud')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('region', { name: 'Outcome' }).getByText('**loud**').waitFor()
  })

  test('VIEW-1 without its token the page says what to do', async () => {
    const studio = await runStudio(await sample())
    studios.push(studio)
    const { page } = await openStudio(browser, new URL(studio.address).origin)
    await page.getByText('it carries a token').waitFor()
    await page.close()
  })

  const sets: [name: string, tools: readonly ListedTool[] | undefined][] = [
    ['the made-up MCP server', mcpServerTools()],
    ['github-mcp-server', githubTools],
  ]
  for (const [name, tools = []] of sets) {
    test.skipIf(tools.length === 0)(`VIEW-1 every Tool renders and fills in: ${name}`, async () => {
      const page = await open(benchOf(tools))
      await page.getByRole('listbox', { name: 'Tools' }).waitFor()
      for (const tool of tools) {
        await page.evaluate(`location.hash = ${JSON.stringify(`#/tools/${encodeURIComponent(tool.name)}`)}`)
        await page.getByRole('heading', { name: tool.name, exact: true }).waitFor()
        await page.getByRole('region', { name: 'Form' }).waitFor()
        // Every parameter has its place in the form.
        const names = Object.keys(tool.inputSchema.properties ?? {})
        const shown = await page.evaluate<string[]>(
          `[...document.querySelectorAll('.form .head > .name')].map((each) => each.textContent)`,
        )
        expect(shown).toEqual(expect.arrayContaining(names))
      }
    })
  }

  test('VIEW-3 a thousand Tools stay fluent', async () => {
    const tools = Array.from(
      { length: 1_000 },
      (_, index): ListedTool => ({
        name: `tool_${String(index).padStart(4, '0')}`,
        description: `Does the thing number ${index}.`,
        inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
      }),
    )
    const page = await open(benchOf(tools))
    await page.getByRole('listbox', { name: 'Tools' }).waitFor()
    // Only what is seen is there.
    expect(await page.getByRole('option').count()).toBeLessThan(60)
    const slowest = await page.evaluate<number>(`(async () => {
      const box = document.querySelector('input[type=search]')
      const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      let slowest = 0
      for (const text of ['t', 'to', 'tool', 'tool_0', 'tool_09', 'tool_', 'number 77', '']) {
        const start = performance.now()
        box.value = text
        box.dispatchEvent(new Event('input', { bubbles: true }))
        await frame()
        slowest = Math.max(slowest, performance.now() - start)
      }
      return slowest
    })()`)
    // Milliseconds, on a machine that does other things meanwhile.
    expect(slowest).toBeLessThan(500)
    await page.getByRole('listbox', { name: 'Tools' }).focus()
    await page.keyboard.press('End')
    await page.getByRole('option', { name: /tool_0999/ }).waitFor()
  })

  test('VIEW-3 a huge value freezes nothing', async () => {
    const page = await open(
      benchOf([
        {
          name: 'huge',
          description: '',
          inputSchema: {
            type: 'object',
            properties: { list: { type: 'array', items: { type: 'integer' } }, text: { type: 'string' } },
          },
        },
      ]),
    )
    await page.getByRole('option', { name: /huge/ }).click()
    const value = JSON.stringify({
      list: Array.from({ length: 20_000 }, (_, at) => at),
      text: 'x'.repeat(200_000),
    })
    const start = performance.now()
    await page.getByRole('textbox', { name: 'Parameters of huge as JSON' }).fill(value)
    await page.getByText('Passes the check').waitFor()
    await page.getByRole('button', { name: /^Run/ }).click()
    await page.getByRole('region', { name: 'Outcome' }).getByText('succeeded', { exact: true }).waitFor()
    expect(performance.now() - start).toBeLessThan(20_000)
  })

  describe('VIEW-1 an Outcome is shown', () => {
    let nested: unknown = 'the innermost'
    for (let depth = 0; depth < 5_000; depth++) nested = { in: nested }
    const outputs: Readonly<Record<string, unknown>> = {
      long: 'x'.repeat(30_000_000),
      deep: nested,
      talkative: 'done',
      unseen: { '\u202eyek': 'pay \u202e001\u202c now', tag: '\u200b\u{e0041}', word: 'می\u200cخواهم' },
    }
    const listed = Object.keys(outputs).map(
      (name): ListedTool => ({ name, description: '', inputSchema: { type: 'object' } }),
    )
    const bench: Parameters<typeof runStudio>[0] = {
      ...benchOf(listed),
      async run(call, { id }, tell) {
        if (call._tool === 'talkative') {
          for (let step = 0; step < 60_000; step++) tell({ event: 'progress', data: { step } })
        }
        const fixed = { mode: 'explicit', delegated: false, appended: [], attempts: 1 } as const
        const output = outputs[call._tool]
        return { ...fixed, id, call, tool: call._tool, status: 'succeeded', output, startedAt: 0, endedAt: 1 }
      },
    }

    test.each([
      ['long', 'all 30,000,000 characters'],
      ['deep', '{1 member}'],
      ['talkative', '60002 events'],
      // Characters that nobody sees are escaped, except those that join letters.
      ['unseen', '\\u{202e}yekpay \\u{202e}001\\u{202c} nowtag\\u{200b}\\u{e0041}wordمی\u200cخواهم'],
    ])('%s', async (tool, text) => {
      const page = await open(bench)
      await page.getByRole('option', { name: tool }).click()
      await page.getByRole('button', { name: /^Run/ }).click()
      const outcome = page.getByRole('region', { name: 'Outcome' })
      await outcome.getByText('succeeded', { exact: true }).waitFor()
      expect(await outcome.textContent()).toContain(text)
    })
  })

  test('VIEW-3 ten thousand properties and choices of any length have room', async () => {
    const long = 'a choice that says much, '.repeat(40)
    const properties = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`property${index}`, { enum: [long, 'b'] }]),
    )
    const page = await open(
      benchOf([{ name: 'wide', description: '', inputSchema: { type: 'object', properties } }]),
    )
    await page.getByRole('option', { name: 'wide' }).click()
    const form = page.getByRole('region', { name: 'Form' })
    await form.getByRole('button', { name: '9800 more' }).click()
    await form.getByRole('combobox', { name: 'property399', exact: true }).waitFor()
    expect(await form.getByRole('combobox', { name: 'property400', exact: true }).count()).toBe(0)
    const overflow = `(() => {
      const form = document.querySelector('[aria-label=Form]')
      return form.scrollWidth - form.clientWidth
    })()`
    expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0)
  })

  test('what Tools say is text and never markup', async () => {
    const hostile = '<img src=x onerror="window.broken=1"><script>window.broken=1</script>'
    const page = await open(
      benchOf([
        {
          name: 'hostile',
          description: hostile,
          inputSchema: {
            type: 'object',
            properties: {
              [hostile]: { type: 'string', description: hostile, title: hostile, default: hostile },
              __proto__: { type: 'string' },
              constructor: { type: 'string', enum: [hostile] },
            },
          },
        },
      ]),
    )
    await page.getByRole('option', { name: /hostile/ }).click()
    await page.getByRole('textbox', { name: hostile, exact: true }).fill(hostile)
    await page.getByRole('button', { name: /^Run/ }).click()
    await page.getByRole('region', { name: 'Outcome' }).getByText('succeeded', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Dialects' }).click()
    await page.getByText('What is sent').first().waitFor()
    expect(await page.evaluate('[document.images.length, window.broken ?? 0]')).toEqual([0, 0])
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [400, 1400]) {
      test(`VIEW-3 axe finds nothing: ${colorScheme}, ${width} wide`, async () => {
        const page = await open(await sample(), { colorScheme, width })
        await page.getByRole('listbox', { name: 'Tools' }).waitFor()
        expect(await axeFindings(page)).toEqual([])
        await page.getByRole('option', { name: /searchText/ }).click()
        await page.getByRole('button', { name: 'Set options' }).click()
        await page.getByRole('button', { name: /^Run/ }).click()
        await page.getByRole('region', { name: 'Outcome' }).getByText('invalid_call').waitFor()
        expect(await axeFindings(page)).toEqual([])
        await page.getByRole('tab', { name: 'Dialects' }).click()
        await page.getByText('What is sent').first().waitFor()
        expect(await axeFindings(page)).toEqual([])
        await page.getByRole('tab', { name: 'Schema' }).click()
        expect(await axeFindings(page)).toEqual([])
        // Nothing is wider than the window.
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(
          0,
        )
      })
    }
  }
})
