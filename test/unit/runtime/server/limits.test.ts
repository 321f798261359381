import { connect } from 'node:net'
import { createRegistry } from 'callsheet'
import { toolServer } from 'callsheet/server'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { limitsOf } from '../../../../runtime/server/limits.ts'
import { ProgressPace } from '../../../../runtime/server/progress-pace.ts'
import { add, post, schemas, serve, serveWorkshop, until, workshop } from './serving.ts'

describe('SERVE-6 limits', () => {
  test('what is more than the limits is 429, and nothing is lost', async () => {
    const limits = { concurrency: 2, queue: 2, drainTime: 500 }
    const { url, deeds, endWaits } = await serveWorkshop({ limits })
    let refused = 0
    const wait = async () => {
      const answer = await post(`${url}/calls`, { _tool: 'wait', time: 60_000 })
      if (answer.status === 429) refused += 1
      return answer
    }
    const running = [wait(), wait()]
    await until(() => deeds.started === 2)
    const more = Array.from({ length: 6 }, wait)
    await until(() => refused === 4)
    endWaits()
    await until(() => deeds.started === 4)
    endWaits()
    const answers = await Promise.all([...running, ...more])
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429, 429, 429])
    expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('1')
    expect(deeds.started).toBe(4)
  })

  test('groups count as many Calls as they run: no more run at a time, and all get their turn', async () => {
    const { url, Activity } = await serveWorkshop({ limits: { concurrency: 3, drainTime: 500 } })
    let running = 0
    let most = 0
    Activity.register(
      'wait',
      async () => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setTimeout(resolve, 20))
        running--
        return 'done'
      },
      { replace: true },
    )
    const wait = { _tool: 'wait' }
    const asked = Array.from({ length: 4 }, () => [
      post(`${url}/calls`, { strategy: 'all', calls: [wait, wait, wait, wait, wait] }),
      post(`${url}/calls`, { strategy: 'all', calls: [wait, wait] }),
      post(`${url}/calls`, wait),
    ])
    const answers = await Promise.all(asked.flat())
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(most).toBe(3)
    expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: 'ok', running: 0, waiting: 0 })
  })

  test('CALL-7 groups run no more Calls at a time than their registry lets, whose listener is told of each', async () => {
    const told: unknown[] = []
    const { Tool, Activity } = createRegistry({
      tools: { add: schemas.add },
      concurrency: 1,
      onOutcome: ({ output }, place) => told.push([place, output]),
    })
    let running = 0
    Activity.register('add', async () => {
      const most = ++running
      await new Promise((resolve) => setTimeout(resolve, 1))
      running--
      return most
    })
    const { url } = await serve(Tool)
    const { body } = await post(`${url}/calls`, { strategy: 'all', calls: [add(1, 2), add(1, 2)] })
    expect(body.outcomes).toMatchObject([{ output: 1 }, { output: 1 }])
    expect(told).toEqual([
      [0, 1],
      [1, 1],
    ])
  })

  test('a Call that takes too long is a timeout', async () => {
    const { url, deeds } = await serveWorkshop({ limits: { callTime: 50, drainTime: 500 } })
    const { body } = await post(`${url}/calls`, { _tool: 'wait', time: 60_000 })
    expect(body).toMatchObject({ status: 'failed', error: { code: 'timeout' } })
    expect(deeds.aborted).toBe(1)
  })

  test('a body that does not come is refused, and its place is free again', async () => {
    const { url } = await serveWorkshop({ limits: { bodyTime: 100, drainTime: 500 } })
    const { port } = new URL(url)
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.write(
          `POST /calls HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"call"`,
        ),
      )
      socket.once('data', (data) => {
        resolve(String(data))
        socket.destroy()
      })
      socket.once('error', reject)
    })
    expect(answer).toContain('400 Bad Request')
    expect((await post(`${url}/calls`, add(1, 2))).body.output).toBe(3)
  })

  test('a time that is longer than timers run is no limit', async () => {
    const names = ['bodyTime', 'callTime', 'hookTime', 'drainTime', 'headTime', 'idleTime', 'answerTime']
    const limits = Object.fromEntries(names.map((name) => [name, Number.MAX_SAFE_INTEGER]))
    const authorize = async () => {
      await new Promise((resolve) => setTimeout(resolve, 10))
      return { id: 'a' }
    }
    const { url, server, deeds } = await serveWorkshop({ limits, authorize })
    const waits = post(`${url}/calls`, { _tool: 'wait', time: 50 })
    await until(() => deeds.started === 1)
    await server.close()
    expect(await waits).toMatchObject({ status: 200, body: { status: 'succeeded' } })
  })

  test('SERVE-2 a clock that is set back holds no progress back', () => {
    const pace = new ProgressPace()
    const clock = vi.spyOn(Date, 'now').mockReturnValue(1)
    onTestFinished(() => clock.mockRestore())
    expect([pace.admits(), pace.admits()]).toEqual([true, true])
  })

  test('every wrong limit at once; one that is undefined is not said', () => {
    const wrong = { calltime: 5, concurrency: '3', queue: -1, drainTime: undefined }
    expect(() => toolServer(workshop().Tool, { limits: wrong as object })).toThrow(
      'The options of toolServer cannot be used: /limits/calltime: no such property; did you mean "callTime"?; ' +
        '/limits/concurrency: expected a positive whole number, got "3"; /limits/queue: expected a whole number from 0, got -1.',
    )
    expect(limitsOf({ queue: 0, callTime: undefined } as object)).toMatchObject({
      queue: 0,
      callTime: 60_000,
    })
  })

  test.each([
    [{ concurency: 1 }, 'did you mean "concurrency"?'],
    [{ queue: -1 }, 'a whole number from 0'],
    [{ bodyBytes: '1' }, 'positive whole number'],
  ])('limits that are none: %j', (limits, text) => {
    expect(() => toolServer(workshop().Tool, { limits: limits as object })).toThrow(text)
  })
})
