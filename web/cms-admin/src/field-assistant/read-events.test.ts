import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readEvents, type StreamEvent } from './read-events.ts'

const read = (...pieces: (string | Uint8Array<ArrayBuffer>)[]): Promise<StreamEvent[]> => {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(stream) {
      for (const piece of pieces) stream.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece)
      stream.close()
    },
  })
  return Array.fromAsync(readEvents(body))
}

describe('a stream of events', () => {
  test('is read whatever the pieces that it comes in', async () => {
    const whole = 'event: text\nid: 1\ndata: {"delta":"é"}\n\n: ping\n\nevent: done\r\ndata: a\r\ndata: b\r\n\r\n'
    const expected = [
      { event: 'text', data: '{"delta":"é"}' },
      { event: 'done', data: 'a\nb' },
    ]
    assert.deepEqual(await read(whole), expected)
    const bytes = new TextEncoder().encode(whole)
    assert.deepEqual(await read(...Array.from(bytes, (byte) => Uint8Array.of(byte))), expected)
  })

  test('an event that was cut is none', async () =>
    assert.deepEqual(await read('event: done\ndata: {"value":"x"}\n'), []))
})
