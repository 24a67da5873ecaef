import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseClientFrame, parseTopic } from './realtime.ts'

const ID = '0199aaaa-0000-7000-8000-000000000000'

test('a topic is the site, the entries of a type, or one entry', () => {
  assert.deepEqual(parseTopic('site'), { kind: 'site' })
  assert.deepEqual(parseTopic('content:blog-Post2'), { kind: 'content', type: 'blog-Post2' })
  assert.deepEqual(parseTopic(`entry:${ID}`), { kind: 'entry', id: ID })
})

test('anything else is no topic, and none has two spellings', () => {
  const others = [
    '',
    'Site',
    ' site',
    'site:',
    'content:',
    'content:Article',
    'content:a b',
    'entry:',
    'entry:1',
    ':site',
  ]
  for (const text of [...others, `entry:${ID.toUpperCase()}`, `entry:${ID}\n`, `content:${'a'.repeat(64)}`])
    assert.equal(parseTopic(text), null, text)
})

test('a frame is one of three actions with exactly its members', () => {
  assert.deepEqual(parseClientFrame('{"action":"ping"}'), { action: 'ping' })
  assert.deepEqual(parseClientFrame('{"action":"subscribe","topic":"x"}'), { action: 'subscribe', topic: 'x' })
  assert.equal(parseClientFrame('{"action":"ping","topic":"x"}'), null)
})

test('no text makes the parsers throw', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.string().map((text) => `entry:${text}`),
      ),
      (text) => {
        parseTopic(text)
        const frame = parseClientFrame(text)
        assert.ok(frame === null || typeof frame.action === 'string')
      },
    ),
    { seed: 7, numRuns: 2_000 },
  )
})
