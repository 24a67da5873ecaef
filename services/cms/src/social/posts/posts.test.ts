import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import type { CmsAnswer } from '@stoa/tests/lib/cms.ts'
import { listActivity } from '../../content/taxonomies/testing/queries.ts'
import { agentFor } from '../../people/agent-keys/testing/agents.ts'
import { type Ground, startGround } from '../worker/testing/ground.ts'
import { testNetwork } from '../worker/testing/network.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let ground: Ground
let page: string
let other: string
before(async () => {
  const demo = testNetwork()
  const picky = testNetwork({
    label: 'Picky',
    limits: { captionMax: 10, textOnly: false, hashtagsMax: 1, videoTypes: [], link: 'field' },
    options: [{ key: 'board', type: 'board', label: 'Board', required: true }],
    check: ({ caption }) => (caption.includes('!') ? [{ key: 'caption', message: 'must not shout' }] : []),
  })
  ground = await startGround({ networks: { demo, other: testNetwork({ label: 'Other' }), picky } })
  page = await ground.account({ name: 'Page' })
  other = await ground.account({ network: 'other', name: 'Other page' })
})
after(() => ground.close())
afterEach(() => ground.fakes.clearScripts())

const POSTS = '/api/social/posts'
const rows = () =>
  ground.cms.database.db.query({
    text: 'select * from social_post p join social_target t on t.post_id = p.id order by t.id',
  })
/** Runs an attempt that must be refused with this code and change nothing. */
const refused = async (code: string, attempt: () => Promise<CmsAnswer>): Promise<CmsAnswer> => {
  const before = { rows: await rows(), activity: await listActivity(ground) }
  const answer = await attempt()
  assert.equal(answer.body?.code, code, answer.text)
  assert.deepEqual({ rows: await rows(), activity: await listActivity(ground) }, before)
  return answer
}
const create = (body: object) => ground.editor.client.post(POSTS, { caption: 'Hello', accountIds: [page], ...body })
const keysOf = ({ body }: CmsAnswer): string[] => body.details.fields.map(({ key }: { key: string }) => key)
const inMs = (ms: number) => new Date(ground.clock.now().getTime() + ms)

const addPicture = async (members: { alt?: string; mimeType?: string } = {}): Promise<string> => {
  const id = newId()
  const { alt = 'A red door', mimeType = 'image/jpeg' } = members
  await ground.cms.database.tx((tx) =>
    tx.query({
      text: `insert into media (id, filename, blob_key, mime_type, size, width, height, hash, alt, is_decorative, caption,
          folder, focal_x, focal_y, words, created_at, updated_at)
        values ($1, 'door.jpg', $2, $3, 1000, 100, 80, $2, $4, false, '', '', 0.5, 0.5, '', $5, $5)`,
      values: [id, 'ab'.repeat(32), mimeType, alt, ground.clock.now()],
    }),
  )
  return id
}

describe('writing a post', () => {
  test('makes a draft with one target for each account', async () => {
    const mediaId = await addPicture()
    const answer = await create({
      caption: 'Hello',
      captions: { other: 'Hi' },
      accountIds: [page, other],
      media: [{ mediaId }],
      options: { demo: { mood: 'good' } },
      link: 'https://example.com/a',
      note: 'Please check',
    })
    assert.equal(answer.status, 201, answer.text)
    const post = answer.body
    assert.deepEqual(
      [post.status, post.accountIds, post.scheduledAt, post.deletedAt, post.version, post.authorId],
      ['draft', [page, other], null, null, 1, ground.editor.id],
    )
    assert.deepEqual(
      post.media.map(({ alt, kind }: { alt: string; kind: string }) => [alt, kind]),
      [['A red door', 'image']],
    )
    assert.deepEqual(
      post.targets.map((target: { status: string; caption: string; account: { name: string } }) => [
        target.status,
        target.caption,
        target.account.name,
      ]),
      [
        ['draft', 'Hello\nhttps://example.com/a', 'Page'],
        ['draft', 'Hi\nhttps://example.com/a', 'Other page'],
      ],
    )
    assert.equal(answer.headers.get('etag'), '"v1"')
    const { targets, ...read } = await ground.read(post.id)
    const { targets: written, ...rest } = post
    assert.deepEqual(read, rest)
    assert.deepEqual(
      targets.map(({ attemptLog, ...target }) => [target, attemptLog]),
      written.map((target: object) => [target, []]),
    )
    assert.equal((await listActivity(ground)).at(-1)?.action, 'social.post.created')
  })

  test('is refused for everything that is wrong at once, by where it is', async () => {
    const picky = await ground.account({ network: 'picky', capabilities: { boards: [{ id: 'b1', name: 'One' }] } })
    const answer = await refused('SOCIAL_INVALID', () =>
      create({
        caption: 'x'.repeat(101),
        captions: { picky: '#a #b too long!' },
        accountIds: [page, picky],
        options: { demo: { mood: 'bad', unknown: 1 }, [picky]: { board: 'b2' } },
      }),
    )
    assert.equal(answer.status, 400)
    assert.deepEqual(keysOf(answer).sort(), [
      'caption',
      'captions.picky',
      'captions.picky',
      'captions.picky',
      'media',
      `options.${picky}.board`,
      'options.demo.mood',
      'options.demo.unknown',
    ])
    const missing = await refused('SOCIAL_INVALID', () => create({ caption: 'ok', accountIds: [picky] }))
    assert.deepEqual(keysOf(missing).sort(), ['media', 'options.picky.board'])
  })

  test('knows the limit of each network to the character, and that of the account before it', async () => {
    const long = await ground.account({ capabilities: { captionMax: 120 } })
    assert.equal((await create({ caption: 'x'.repeat(100) })).status, 201)
    await refused('SOCIAL_INVALID', () => create({ caption: 'x'.repeat(101) }))
    assert.equal((await create({ caption: 'x'.repeat(120), accountIds: [long] })).status, 201)
    // A link that is part of the caption counts.
    await refused('SOCIAL_INVALID', () => create({ caption: 'x'.repeat(95), link: 'https://example.com' }))
  })

  test('takes pictures or one video of the library', async () => {
    const [image, video, second, file] = [
      await addPicture(),
      await addPicture({ mimeType: 'video/mp4' }),
      await addPicture({ mimeType: 'video/mp4' }),
      await addPicture({ mimeType: 'application/pdf' }),
    ]
    for (const ids of [[image, video], [video, second], [file], [newId()], [image, image]]) {
      const media = ids.map((mediaId) => ({ mediaId }))
      assert.ok(keysOf(await refused('SOCIAL_INVALID', () => create({ media }))).includes('media'), ids.join())
    }
  })

  test('needs accounts that are there, each once, and names that mean something', async () => {
    const gone = await ground.account({ status: 'disconnected' })
    for (const accountIds of [[], [page, page], [newId()], [gone], ['x']])
      assert.deepEqual(keysOf(await refused('SOCIAL_INVALID', () => create({ accountIds }))), ['accountIds'])
    assert.deepEqual(keysOf(await refused('SOCIAL_INVALID', () => create({ captions: { nowhere: 'x' } }))), [
      'captions.nowhere',
    ])
    assert.deepEqual(keysOf(await refused('SOCIAL_INVALID', () => create({ options: { nowhere: {} } }))), [
      'options.nowhere',
    ])
    // What waits for a network that is not chosen is kept.
    const kept = await create({ captions: { other: 'x'.repeat(500) }, options: { other: { mood: 'good' } } })
    assert.deepEqual([kept.status, kept.body.captions.other?.length], [201, 500])
    await refused('VALIDATION_FAILED', () => create({ status: 'posted' }))
    await refused('SOCIAL_INVALID', () => create({ caption: ' ' }))
  })

  test('twice within a day for one account is worth a warning', async () => {
    const account = await ground.account()
    const first = await ground.post([account], { caption: 'Twice' })
    assert.deepEqual(first.targets[0]?.warnings, [])
    await ground.schedule(first.id, inMs(HOUR))
    const second = await ground.post([account], { caption: 'Twice' })
    assert.equal(second.targets[0]?.warnings.length, 1)
    const answer = await ground.editor.client.put(`${POSTS}/${second.id}`, { caption: 'Once' })
    assert.deepEqual(answer.body.targets[0].warnings, [])
    await ground.editor.client.post(`${POSTS}/${first.id}/cancel`)
  })
})

describe('changing a post', () => {
  test('changes the members sent, for the version that was read', async () => {
    const post = await ground.post([page])
    const put = (body: object, headers = {}) => ground.editor.client.put(`${POSTS}/${post.id}`, body, headers)
    await refused('VERSION_CONFLICT', () => put({ caption: 'x' }, { 'if-match': '"v7"' }))
    await refused('VERSION_CONFLICT', () => put({ caption: 'x', version: 2 }))
    const saved = await put({ caption: 'New', version: 1 })
    assert.deepEqual([saved.body.caption, saved.body.version, saved.body.targets[0].caption], ['New', 2, 'New'])
    const same = await put({ caption: 'New' })
    assert.equal(same.body.version, 2, 'nothing changed')
    const both = await put({ accountIds: [other, page] })
    assert.deepEqual(new Set(both.body.accountIds), new Set([page, other]))
    await refused('SOCIAL_INVALID', () => put({ caption: 'x'.repeat(101) }))
  })

  test('keeps what is out, and rewrites the rest', async () => {
    ground.fakes.script({ network: 'other', call: 'commit', behave: { status: 400 } })
    const [a, b] = [await ground.account(), await ground.account({ network: 'other' })]
    const { id } = await ground.post([a, b], { caption: 'Before' })
    await ground.publish(id)
    await ground.runDue()
    assert.equal((await ground.read(id)).status, 'partial')
    const { body } = await ground.editor.client.put(`${POSTS}/${id}`, { caption: 'After', accountIds: [b] })
    assert.deepEqual(
      body.targets.map(({ caption, status }: { caption: string; status: string }) => [caption, status]),
      [
        ['Before', 'posted'],
        ['After', 'failed'],
      ],
    )
    await ground.publish(id)
    await ground.runDue()
    assert.deepEqual(ground.fakes.posts('other').at(-1)?.text, 'After')
    assert.equal((await ground.read(id)).status, 'posted')
  })

  test('of a scheduled one keeps its time; while it is sent it is refused', async () => {
    const { id } = await ground.post([page])
    const at = inMs(HOUR)
    await ground.schedule(id, at)
    const { body } = await ground.editor.client.put(`${POSTS}/${id}`, { caption: 'Later', accountIds: [page, other] })
    assert.deepEqual(
      [body.status, body.scheduledAt, body.targets.map(({ status }: { status: string }) => status)],
      ['scheduled', at.toISOString(), ['scheduled', 'scheduled']],
    )
    await ground.cms.database.tx((tx) =>
      tx.query({
        text: "update social_target set status = 'publishing', step = 'upload' where post_id = $1 and account_id = $2",
        values: [id, page],
      }),
    )
    await refused('INVALID_STATE', () => ground.editor.client.put(`${POSTS}/${id}`, { caption: 'x' }))
    await ground.cms.database.tx((tx) =>
      tx.query({ text: "update social_target set status = 'scheduled', step = null where post_id = $1", values: [id] }),
    )
    await ground.editor.client.post(`${POSTS}/${id}/cancel`)
  })
})

describe('an author', () => {
  test('reads all posts, and changes own ones that nobody has scheduled', async () => {
    const foreign = await ground.post([page])
    const { client } = ground.author
    assert.equal((await client.get(`${POSTS}/${foreign.id}`)).status, 200)
    await refused('FORBIDDEN', () => client.put(`${POSTS}/${foreign.id}`, { caption: 'x' }))
    await refused('FORBIDDEN', () => client.delete(`${POSTS}/${foreign.id}`))
    const { body: own } = await client.post(POSTS, { caption: 'Mine', accountIds: [page] })
    assert.equal((await client.put(`${POSTS}/${own.id}`, { caption: 'Still mine' })).status, 200)
    for (const [action, body] of [
      ['schedule', { at: inMs(HOUR).toISOString() }],
      ['publish', {}],
      ['cancel', {}],
    ] as const)
      await refused('FORBIDDEN', () => client.post(`${POSTS}/${own.id}/${action}`, body))
    await ground.schedule(own.id, inMs(HOUR))
    await refused('FORBIDDEN', () => client.put(`${POSTS}/${own.id}`, { caption: 'Sneaky' }))
    await refused('FORBIDDEN', () => client.delete(`${POSTS}/${own.id}`))
    await ground.editor.client.post(`${POSTS}/${own.id}/cancel`)
    assert.equal((await client.delete(`${POSTS}/${own.id}`)).status, 204)
  })

  test('does not slip a text into what is tried again by itself', async () => {
    const { body: own } = await ground.author.client.post(POSTS, { caption: 'Mine', accountIds: [page] })
    ground.fakes.script({ network: 'demo', call: 'commit', behave: { status: 429 } })
    await ground.publish(own.id)
    await ground.runDue()
    assert.notEqual((await ground.read(own.id)).targets[0]?.nextAttemptAt, null)
    await refused('FORBIDDEN', () => ground.author.client.put(`${POSTS}/${own.id}`, { caption: 'Sneaky' }))
    await ground.editor.client.post(`${POSTS}/${own.id}/cancel`)
  })

  test('and an agent key reach as far as their grants', async () => {
    const writer = await agentFor(ground, ground.editor, { grants: ['social.write'] })
    const headers = { authorization: `Bearer ${writer.key}` }
    const client = ground.client()
    const made = await client.post(POSTS, { caption: 'By an agent', accountIds: [page] }, headers)
    assert.equal(made.status, 201, made.text)
    await refused('FORBIDDEN', () => client.post(`${POSTS}/${made.body.id}/publish`, {}, headers))
  })
})

describe('scheduling', () => {
  test('asks for a time to come, and can be called back', async () => {
    const { id } = await ground.post([page])
    for (const at of [inMs(0), inMs(-1)]) await refused('SCHEDULE_IN_PAST', () => ground.schedule(id, at))
    await refused('VALIDATION_FAILED', () => ground.editor.client.post(`${POSTS}/${id}/schedule`, { at: 'soon' }))
    await refused('INVALID_STATE', () => ground.editor.client.post(`${POSTS}/${id}/cancel`))
    const scheduled = await ground.schedule(id, inMs(HOUR))
    assert.deepEqual([scheduled.body.status, scheduled.body.scheduledAt], ['scheduled', inMs(HOUR).toISOString()])
    const again = await ground.schedule(id, inMs(2 * HOUR))
    assert.equal(again.body.scheduledAt, inMs(2 * HOUR).toISOString())
    const back = await ground.editor.client.post(`${POSTS}/${id}/cancel`)
    assert.deepEqual([back.status, back.body.status, back.body.scheduledAt], [200, 'draft', null])
    const actions = (await listActivity(ground)).map(({ action }) => action)
    assert.ok(['social.post.scheduled', 'social.post.cancelled'].every((action) => actions.includes(action)))
  })

  test('of what is out, or of a retry that is called back, follows the targets', async () => {
    const account = await ground.account()
    const { id } = await ground.post([account])
    ground.fakes.script({ network: 'demo', call: 'commit', behave: { status: 429 } })
    await ground.publish(id)
    await ground.runDue()
    assert.equal((await ground.read(id)).status, 'failed')
    assert.equal((await ground.editor.client.post(`${POSTS}/${id}/cancel`)).body.status, 'draft')
    await ground.publish(id)
    await ground.runDue()
    await refused('INVALID_STATE', () => ground.schedule(id, inMs(HOUR)))
    const before = ground.fakes.posts().length
    assert.equal((await ground.publish(id)).status, 200)
    await ground.runDue()
    assert.equal(ground.fakes.posts().length, before, 'nothing is sent twice')
  })
})

describe('publishing', () => {
  test('some targets leaves the others alone', async () => {
    const [a, b] = [await ground.account(), await ground.account()]
    const { id, targets } = await ground.post([a, b])
    await ground.publish(id, { targetIds: [targets[0]?.id] })
    await ground.runDue()
    assert.deepEqual(
      (await ground.read(id)).targets.map(({ status }) => status),
      ['posted', 'draft'],
    )
    await refused('VALIDATION_FAILED', () => ground.publish(id, { targetIds: [newId()] }))
  })
})

describe('deleting', () => {
  test('hides the post, and what was scheduled is never sent', async () => {
    const account = await ground.account()
    const { id } = await ground.post([account], { caption: 'Never' })
    await ground.schedule(id, inMs(MINUTE))
    assert.equal((await ground.editor.client.delete(`${POSTS}/${id}`)).status, 204)
    for (const answer of [
      await ground.editor.client.get(`${POSTS}/${id}`),
      await ground.editor.client.put(`${POSTS}/${id}`, { caption: 'x' }),
      await ground.publish(id),
    ])
      assert.equal(answer.status, 404)
    ground.clock.advance(HOUR)
    await ground.runDue()
    assert.ok(ground.fakes.posts().every(({ text }) => text !== 'Never'))
  })

  test('stops a worker that has not posted it yet', async () => {
    const account = await ground.account()
    const { id } = await ground.post([account], { caption: 'Stopped', media: [] })
    await ground.publish(id)
    ground.fakes.script({ network: 'demo', call: 'list', behave: { delayMs: 1 } })
    await ground.cms.database.tx((tx) =>
      tx.query({
        text: `update social_target set status = 'publishing', step = 'upload', next_attempt_at = $2, fence = 7
          where post_id = $1`,
        values: [id, inMs(HOUR)],
      }),
    )
    await ground.editor.client.delete(`${POSTS}/${id}`)
    const [row] = await ground.cms.database.db.query<{ status: string; fence: number }>({
      text: 'select status, fence from social_target where post_id = $1',
      values: [id],
    })
    assert.deepEqual([row?.status, row?.fence], ['draft', 8])
  })
})

describe('lists', () => {
  test('show the newest first, by status, in pages', async () => {
    const { body } = await ground.editor.client.get(`${POSTS}?limit=2&status=draft`)
    assert.equal(body.items.length, 2)
    assert.ok(body.items.every(({ status }: { status: string }) => status === 'draft'))
    assert.ok(body.items[0].createdAt >= body.items[1].createdAt)
    assert.equal((await ground.editor.client.get(`${POSTS}?status=lost`)).status, 400)
  })

  test('of the calendar begin and end with the days of the site', async () => {
    const admin = await ground.person('admin')
    assert.equal((await admin.client.put('/api/settings', { timezone: 'Mars/Base' })).status, 400)
    const saved = await admin.client.put('/api/settings', { timezone: 'Pacific/Auckland' })
    assert.equal(saved.body.timezone, 'Pacific/Auckland')
    const post = await ground.post([await ground.account(), await ground.account({ network: 'other' })])
    const { id } = post
    const at = new Date('2026-06-09T12:30:00.000Z')
    await ground.schedule(id, at)
    const days = async (from: string, count = 1) =>
      (await ground.editor.client.get(`/api/social/calendar?from=${from}&days=${count}`)).body.items.filter(
        ({ postId }: { postId: string }) => postId === id,
      )
    assert.deepEqual(await days('2026-06-09'), [])
    assert.deepEqual(await days('2026-06-10'), [
      {
        postId: id,
        at: at.toISOString(),
        status: 'scheduled',
        caption: 'Hello',
        networks: ['demo', 'other'],
        accountIds: post.accountIds.toSorted(),
        authorId: ground.editor.id,
      },
    ])
    assert.equal((await days('2026-06-01', 42)).length, 1)
    await ground.editor.client.post(`${POSTS}/${id}/cancel`)
    assert.deepEqual(await days('2026-06-01', 42), [])
    for (const query of ['', '?from=2026-06-01', '?from=2026-06-01&days=63', '?from=2026-02-30&days=1'])
      assert.equal((await ground.editor.client.get(`/api/social/calendar${query}`)).status, 400, query)
  })

  test('of the overview count, look ahead and look back', async () => {
    const { id: next } = await ground.post([await ground.account()])
    await ground.schedule(next, inMs(MINUTE))
    const { body } = await ground.editor.client.get('/api/social/overview')
    assert.deepEqual(Object.keys(body.counts), ['draft', 'scheduled', 'publishing', 'posted', 'partial', 'failed'])
    assert.equal(body.next[0].id, next)
    assert.ok(body.last.length <= 5 && body.last.length > 0)
    assert.ok(
      body.last.every(({ targets }: { targets: { postedAt: string }[] }) => targets.some((one) => one.postedAt)),
    )
    const { total } = (await ground.editor.client.get(`${POSTS}?status=posted`)).body.meta
    assert.equal(body.counts.posted, total)
  })
})

describe('a file of a post', () => {
  test('is in use, and who deletes it anyway leaves a post that cannot be sent', async () => {
    const mediaId = await addPicture()
    const { id } = await ground.post([await ground.account()], { media: [{ mediaId }] })
    const media = `/api/media/${mediaId}`
    assert.equal((await ground.editor.client.delete(media)).body.code, 'MEDIA_IN_USE')
    const uses = await ground.editor.client.get(`${media}/usage`)
    assert.deepEqual(uses.body?.items, [{ kind: 'social', id, caption: 'Hello', status: 'draft' }], uses.text)
    assert.equal((await ground.editor.client.delete(`${media}?force=1`)).status, 204)
    const post = await ground.read(id)
    assert.deepEqual(post.media, [{ mediaId, alt: '', url: null, kind: 'image' }])
    await ground.publish(id)
    await ground.runDue()
    assert.equal((await ground.read(id)).targets[0]?.error?.code, 'MEDIA_GONE')
  })
})
