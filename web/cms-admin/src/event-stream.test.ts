import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createEventReader, readEvents, type StreamEvent } from './event-stream.ts'

const encode = (text: string) => new TextEncoder().encode(text)

const STREAM = [
  ': ping\n\n',
  'id: 1\nevent: text\ndata: {"delta":"Grüße 👋 aus\\nBerlin"}\n\n',
  'event:usage\ndata: {"input":1,\ndata: "output":2}\n\n',
  'data\n\n',
  'id: 4\nevent: done\ndata: {}\n\n',
].join('')

const EVENTS: StreamEvent[] = [
  { event: 'text', data: '{"delta":"Grüße 👋 aus\\nBerlin"}' },
  { event: 'usage', data: '{"input":1,\n"output":2}' },
  { event: 'message', data: '' },
  { event: 'done', data: '{}' },
]

for (const [ends, stream] of [
  ['line feeds', STREAM],
  ['carriage returns and line feeds', STREAM.replaceAll('\n', '\r\n')],
  ['carriage returns', `${STREAM.replaceAll('\n', '\r')}:\n`],
] as const)
  describe(`events with ${ends}`, () => {
    test('are the same wherever the bytes are cut', () => {
      const bytes = encode(stream)
      for (let cut = 0; cut <= bytes.length; cut += 1) {
        const read = createEventReader()
        assert.deepEqual([...read(bytes.slice(0, cut)), ...read(bytes.slice(cut))], EVENTS, `cut at ${cut}`)
      }
    })

    test('are the same byte by byte', () => {
      const read = createEventReader()
      assert.deepEqual(
        [...encode(stream)].flatMap((byte) => read(Uint8Array.of(byte))),
        EVENTS,
      )
    })
  })

describe('a stream', () => {
  const bodyOf = (text: string, onCancel: () => void = () => undefined) =>
    new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(stream) {
        stream.enqueue(encode(text))
        if (text !== STREAM) stream.close()
      },
      cancel: onCancel,
    })

  test('that was cut gives no event of which the end is missing', async () => {
    const cut = STREAM.slice(0, STREAM.lastIndexOf('\n\n') + 1)
    assert.deepEqual(await Array.fromAsync(readEvents(bodyOf(cut))), EVENTS.slice(0, -1))
  })

  test('is released by a reader that has read enough', async () => {
    let isCancelled = false
    const body = bodyOf(STREAM, () => {
      isCancelled = true
    })
    for await (const { event } of readEvents(body)) if (event === 'done') break
    assert.equal(isCancelled, true)
  })
})
