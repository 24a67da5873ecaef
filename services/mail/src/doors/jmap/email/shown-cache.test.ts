import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Json } from '../json.ts'
import type { Answer } from '../testing/client.ts'
import { type GroundMailbox, type JmapGround, startJmap } from '../testing/ground.ts'
import { createShownCache } from './shown-cache.ts'

describe('messages as lists show them', () => {
  const open = (maxBytes?: number) => {
    let catchUp = (): unknown => undefined
    const cache = createShownCache(
      {
        subscribe(_listener, onCatchUp) {
          catchUp = onCatchUp
          return () => undefined
        },
      },
      maxBytes,
    )
    return { cache, reconnect: () => catchUp() }
  }
  const shown = (length: number) => ({ modseq: 1, json: new Json('x'.repeat(length)) })

  test('take no more memory than they may: those that were not used longest go first', () => {
    const { cache } = open(20_000)
    for (const id of ['a', 'b', 'c', 'd']) cache.set('subject', id, shown(2_000))
    assert.ok(cache.get('subject', 'a'))
    cache.set('subject', 'e', shown(2_000))
    assert.deepEqual(
      ['a', 'b', 'c', 'd', 'e'].map((id) => cache.get('subject', id) !== undefined),
      [true, false, true, true, true],
    )
    assert.ok(cache.bytes > 16_000 && cache.bytes <= 20_000, String(cache.bytes))
    cache.set('subject', 'a', shown(10_000))
    assert.equal(cache.get('subject', 'a'), undefined)
  })

  test('are of other properties each', () => {
    const { cache } = open()
    cache.set('subject', 'a', shown(1))
    assert.equal(cache.get('subject,size', 'a'), undefined)
  })

  test('are forgotten after a lost connection', () => {
    const { cache, reconnect } = open()
    cache.set('subject', 'a', shown(1))
    reconnect()
    assert.deepEqual([cache.get('subject', 'a'), cache.bytes], [undefined, 0])
  })
})

describe('a list that was shown before', () => {
  let ground: JmapGround
  let ids: string[]
  before(async () => {
    ground = await startJmap()
    ids = []
    for (let number = 0; number < 4; number += 1) ids.push((await ground.add(ground.ann)).messageId)
  })
  after(() => ground.close())

  const PROPERTIES = ['keywords', 'mailboxIds', 'subject']
  const list = (mailbox: GroundMailbox = ground.ann, more: Record<string, unknown> = {}): Promise<Answer> =>
    mailbox.client.one('Email/get', { accountId: ground.ann.accountId, ids, properties: PROPERTIES, ...more })
  /** What nobody has kept: the properties in another order. */
  const listAnew = async () => (await list(ground.ann, { properties: PROPERTIES.toReversed() })).list

  test('shows every change', async () => {
    const { accountId, client, folders } = ground.ann
    const [first = '', second = '', third = ''] = ids
    await list()
    const update = { [first]: { 'keywords/$seen': true }, [second]: { mailboxIds: { [folders.archive]: true } } }
    await client.one('Email/set', { accountId, update, destroy: [third] })
    const { list: now, notFound, state } = await list()
    assert.deepEqual(notFound, [third])
    assert.deepEqual(now[0].keywords, { $seen: true })
    assert.deepEqual(now[1].mailboxIds, { [folders.archive]: true })
    assert.equal((await client.one('Email/get', { accountId, ids: [] })).state, state)
    assert.deepEqual(now, await listAnew())
  })

  test('is read again by others who look, whose flags are their own, and not given to who may not', async () => {
    await list()
    const { client, accountId } = ground.bob
    assert.equal(
      await client.error('Email/get', { accountId: ground.ann.accountId, ids, properties: PROPERTIES }),
      'accountNotFound',
    )
    const own = await client.one('Email/get', { accountId, ids, properties: PROPERTIES })
    assert.deepEqual([own.list, own.notFound], [[], ids])
    await ground.share(ground.ann, ground.bob, 'write')
    const update = { [ids[0] ?? '']: { 'keywords/$seen': null } }
    await client.one('Email/set', { accountId: ground.ann.accountId, update })
    const [seen] = (await list(ground.bob)).list
    assert.deepEqual([seen.id, seen.keywords], [ids[0], {}])
    const [mine] = (await list()).list
    assert.deepEqual(mine.keywords, { $seen: true })
  })
})
