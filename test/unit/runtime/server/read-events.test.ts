import { expect, test } from 'vitest'
import { readEvents } from '../../../../runtime/server/read-events.ts'

const given = [
  ': hello\n\n',
  'event: progress\ndata: {"text":"a\u2028b\\r\\n é 😀"}\n\n',
  'event:result\nid: 7\ndata:{"a":\ndata: 1}\n\n',
].join('')
const want = [
  { event: 'progress', data: { text: 'a\u2028b\r\n é 😀' } },
  { event: 'result', data: { a: 1 } },
]

test.each([
  ['LF', '\n'],
  ['CRLF, as some proxies send it', '\r\n'],
  ['CR', '\r'],
])('SERVE-4 events whose lines end in %s are the same, wherever they are cut', async (_, lineEnd) => {
  const bytes = new TextEncoder().encode(given.replaceAll('\n', lineEnd))
  for (let size = 1; size <= bytes.length; size++) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (__, index) =>
      bytes.slice(index * size, (index + 1) * size),
    )
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const piece = pieces.shift()
        if (piece) controller.enqueue(piece)
        else controller.close()
      },
    })
    expect(await all(readEvents(body)), `pieces of ${size}`).toEqual(want)
  }
})

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}
