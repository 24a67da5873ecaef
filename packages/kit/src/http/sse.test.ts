import assert from 'node:assert/strict'
import { afterEach, describe, mock, test } from 'node:test'
import { createEventStreams, type EventStream, eventStreamReply, formatEvent, openEventStream } from './sse.ts'

const FULL = 'x'.repeat(100_000)
const readAll = async ({ stream }: EventStream): Promise<string> => {
  let text = ''
  for await (const chunk of stream.setEncoding('utf8')) text += chunk
  return text
}
const closed = ({ stream }: EventStream) => new Promise((resolve) => stream.once('close', resolve))

describe('an event', () => {
  test('has its fields on lines of their own, and as many lines of data as the text has', () => {
    assert.equal(
      formatEvent({ event: 'change', id: '7', data: 'a\nb\r\nc\rd' }),
      'event: change\nid: 7\ndata: a\ndata: b\ndata: c\ndata: d\n\n',
    )
    assert.equal(formatEvent({ id: '7' }), 'id: 7\n\n')
    assert.equal(formatEvent({ data: '' }), 'data: \n\n')
  })

  test('cannot begin another by line breaks in its name or id', () => {
    const text = formatEvent({ event: 'a\ndata: forged', id: '1\r\n\r\nevent: forged\0', data: 'b' })
    assert.equal(text, 'event: adata: forged\nid: 1event: forged\ndata: b\n\n')
  })
})

describe('a stream', () => {
  afterEach(() => mock.timers.reset())

  test('begins at once, sends a retry time if configured, and disables buffering by proxies', async () => {
    const events = openEventStream({ retryMs: 3_000 })
    const { headers, contentType } = eventStreamReply(events).options
    assert.equal(contentType, 'text/event-stream; charset=utf-8')
    assert.deepEqual(headers, { 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
    await events.send({ data: '1' })
    events.end()
    assert.equal(await readAll(events), 'retry: 3000\n\ndata: 1\n\n')
  })

  test('sends the given text in its comments', async () => {
    const events = openEventStream({ heartbeat: 'ping' })
    events.end()
    assert.equal(await readAll(events), ': ping\n\n')
  })

  test('holds up all writers for a slow reader, and all go on when it reads; what it need not know is left out', async () => {
    const events = openEventStream()
    let done = 0
    const writes = ['1', '2', '3'].map(async (name) => {
      await events.send({ data: FULL + name })
      done += 1
    })
    for (let count = 0; count < 1_000; count += 1) events.sendIfTaken({ event: 'ping' })
    await new Promise(setImmediate)
    assert.equal(done, 0)
    assert.ok(events.stream.readableLength < 4 * FULL.length)
    const text = readAll(events)
    await Promise.all(writes)
    events.sendIfTaken({ event: 'ping' })
    await events.send({ data: 'last' })
    events.end()
    assert.equal(
      (await text).replaceAll('x', ''),
      ':\n\ndata: 1\n\ndata: 2\n\ndata: 3\n\nevent: ping\n\ndata: last\n\n',
    )
  })

  test('lets writers continue when the reader is gone, and notifies its producer', async () => {
    const events = openEventStream()
    const writes = [events.send({ data: FULL }), events.send({ data: FULL })]
    assert.equal(events.signal.aborted, false)
    events.stream.destroy()
    await Promise.all(writes)
    assert.equal(events.signal.aborted, true)
    await events.send({ data: FULL })
    assert.equal(events.stream.destroyed, true)
  })

  test('cuts a reader off for whom too much waits', async () => {
    const events = openEventStream({ maxWaitingBytes: 250_000 })
    const gone = closed(events)
    for (let count = 0; count < 10; count += 1) void events.send({ data: FULL })
    await gone
    assert.equal(events.signal.aborted, true)
  })

  test('cuts a reader off who takes nothing for too long, and only that one', async () => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
    const stalled = openEventStream({ stallMs: 1_000 })
    const quick = openEventStream({ stallMs: 1_000 })
    void stalled.send({ data: FULL })
    const sent = quick.send({ data: FULL })
    quick.stream.resume()
    await sent
    mock.timers.tick(1_000)
    assert.deepEqual([stalled.stream.destroyed, quick.stream.destroyed], [true, false])
    quick.stream.destroy()
  })

  test('sends comments when nothing happens, but not to a reader that lags', async () => {
    mock.timers.enable({ apis: ['setInterval'] })
    const events = openEventStream({ heartbeatMs: 100 })
    mock.timers.tick(200)
    void events.send({ data: FULL })
    mock.timers.tick(10_000)
    events.end()
    assert.equal((await readAll(events)).replaceAll('x', ''), ':\n\n:\n\n:\n\ndata: \n\n')
  })
})

describe('the streams of a process', () => {
  test('are bounded for each key, and free again when one is closed', async () => {
    const streams = createEventStreams({ perKey: 2 })
    const [first, second] = [streams.open('a'), streams.open('a')]
    assert.ok(first && second)
    assert.equal(streams.open('a'), null)
    const other = streams.open('b')
    assert.ok(other)
    const gone = closed(first)
    first.stream.destroy()
    await gone
    assert.equal(streams.count('a'), 1)
    assert.ok(streams.open('a'))
    streams.stop()
    assert.equal(streams.open('b'), null, 'a stopped server opens no more')
    assert.equal(await readAll(other), ':\n\n')
  })
})
