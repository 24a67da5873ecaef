import assert from 'node:assert/strict'
import { test } from 'node:test'
import { peopleAfter, readPeople } from './presence.ts'
import { frameTopics } from './topics.ts'

const person = (id: string, name = id) => ({
  id,
  name,
  avatarUrl: null,
  since: '2026-01-01T00:00:00.000Z',
  field: null,
})

test('people come and go, once each, and a state takes the place of all before', () => {
  const both = peopleAfter([person('a')], 'presence.joined', [person('b')])
  assert.deepEqual(both, [person('a'), person('b')])
  assert.deepEqual(peopleAfter(both, 'presence.joined', [person('a', 'Ana')]), [person('b'), person('a', 'Ana')])
  assert.deepEqual(peopleAfter(both, 'presence.left', [person('a')]), [person('b')])
  assert.equal(peopleAfter(both, 'presence.left', [person('c')]), both)
  assert.deepEqual(peopleAfter(both, 'presence.state', [person('c')]), [person('c')])
  assert.equal(peopleAfter(both, 'entry.updated', undefined), both)
})

test('what is no person is left out of a frame', () => {
  assert.deepEqual(readPeople([person('a'), { id: 1 }, null, { ...person('b'), secret: 'x' }]), [
    person('a'),
    person('b'),
  ])
  assert.deepEqual(readPeople('nobody'), [])
})

test('the frame listens to the site and its types, to the one on the screen in any case', () => {
  assert.deepEqual(frameTopics('/media', ['article', 'page']), ['site', 'content:article', 'content:page'])
  assert.deepEqual(frameTopics('/content/unknown', []), ['site'])
  const many = Array.from({ length: 100 }, (_, index) => `type${index}`)
  const topics = frameTopics('/content/type99/abc', many)
  assert.equal(topics.length, 41)
  assert.ok(topics.includes('content:type99'))
})
