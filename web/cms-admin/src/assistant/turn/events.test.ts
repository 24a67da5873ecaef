import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TurnEvent } from '@stoa/cms-model/assistant.ts'
import { createEventReader, endsTurn } from './events.ts'

const encode = (text: string) => new TextEncoder().encode(text)

const STREAM = [
  ': ping\n\n',
  'id: 1\nevent: start\ndata: {"messageId":"m","conversationId":"c","model":"x"}\n\n',
  'id: 2\nevent: text\ndata: {"messageId":"m","delta":"Grüße 👋 aus\\nBerlin"}\n\n',
  'event: later\ndata: {"new":true}\n\n',
  'id: 3\nevent:usage\ndata: {"input":1,\ndata: "output":2,"todayUsed":3,"todayLimit":4}\n\n',
  'id: 4\nevent: done\ndata: {"messageId":"m","stop":"end","proposals":[]}\n\n',
].join('')

const EVENTS: TurnEvent[] = [
  { event: 'start', data: { messageId: 'm', conversationId: 'c', model: 'x' } },
  { event: 'text', data: { messageId: 'm', delta: 'Grüße 👋 aus\nBerlin' } },
  { event: 'usage', data: { input: 1, output: 2, todayUsed: 3, todayLimit: 4 } },
  { event: 'done', data: { messageId: 'm', stop: 'end', proposals: [] } },
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
        assert.deepEqual([...read(bytes.subarray(0, cut)), ...read(bytes.subarray(cut))], EVENTS, `cut at ${cut}`)
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

describe('a stream that was cut', () => {
  test('gives no event of which the end is missing', () => {
    const read = createEventReader()
    const cut = STREAM.slice(0, STREAM.lastIndexOf('\n\n') + 1)
    const events = read(encode(cut))
    assert.deepEqual(events, EVENTS.slice(0, -1))
    assert.equal(events.some(endsTurn), false)
  })
})
