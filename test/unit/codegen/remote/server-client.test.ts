import { expect, test } from 'vitest'
import { ServerClient } from '../../../../codegen/remote/server-client.ts'
import { answering } from '../../runtime/server/reverse-proxy.ts'

test.each([301, 302, 303, 307, 308])(
  'SERVE-6 status %d takes neither a Call nor its credentials to another server',
  async (status) => {
    let asked = 0
    const other = await answering((_, answer) => {
      asked++
      answer.end('{}')
    })
    const moved = await answering(({ url }, answer) =>
      answer.writeHead(status, { location: `${other}${url}` }).end(),
    )
    const client = new ServerClient(moved, { 'x-api-key': 's3cret' })
    await expect(client.tools()).rejects.toThrow(`${moved} redirects to ${other}/tools.`)
    await expect(client.run({ _tool: 'add' })).rejects.toThrow(`${moved} redirects to ${other}/calls.`)
    expect(asked).toBe(0)
  },
)

test('SERVE-7 an answer without an end is not read for ever', async () => {
  const endless = await answering((_, answer) => {
    const piece = Buffer.alloc(1_048_576, ' ')
    const write = (): void => {
      while (!answer.destroyed && answer.write(piece));
    }
    answer.on('drain', write)
    write()
  })
  const client = new ServerClient(endless, {})
  await expect(client.tools()).rejects.toThrow('returned no list of Tools')
  await expect(client.run({ _tool: 'add' })).rejects.toThrow(
    /did not answer the Call: It is longer than \d+ characters\. Whether it ran is not known/,
  )
})

test.each<[number, object, boolean]>([
  [504, {}, true],
  [503, {}, true],
  [502, { detail: 'Gateway' }, true],
  [500, { code: 'internal', detail: 'The server failed.' }, true],
  [503, { code: 'closing', detail: 'It closes.' }, false],
  [404, {}, false],
])('SERVE-7 a Call answered with status %d and %j may have run: %s', async (status, details, mayHaveRun) => {
  const proxy = await answering((_, answer) => answer.writeHead(status).end(JSON.stringify(details)))
  const told = await new ServerClient(proxy, {}).run({ _tool: 'pay' }).catch(String)
  expect(told).toMatch(
    mayHaveRun
      ? `did not answer the Call: status ${status}. Whether it ran is not known`
      : 'refused the request',
  )
})
