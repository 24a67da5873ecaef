import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { MAX_SNAPSHOTS } from '@stoa/cms-model/preview.ts'
import { newToken } from '@stoa/kit/crypto/tokens.ts'
import { type CmsService, startCms } from '@stoa/tests/lib/cms.ts'
import { type Site, startSite } from '../../content/entries/testing/site.ts'
import { deliveryKeyFor } from '../../people/delivery-keys/testing/keys.ts'
import { deleteExpiredPreviews } from './queries.ts'

const MIB = 1_048_576

let site: Site
let key: string
let entryId: string
before(async () => {
  site = await startSite()
  key = (await deliveryKeyFor(site.admin)).key
  entryId = (await site.add(site.editor.client, { title: 'Previewed' })).id
})
beforeEach(() => site.cms.database.tx(async (tx) => void (await tx.deleteFrom('preview').execute())))
after(() => site.close())

const preview = async (body?: object, service: CmsService = site): Promise<string> => {
  const client = service.client({ token: site.editor.token })
  const answer = await client.post(`/api/entries/${entryId}/preview`, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.token
}
const statusOf = async (token: string, service: CmsService = site): Promise<number> =>
  (await service.client().get(`/preview/${token}`, { 'x-api-key': key })).status

/** Snapshots of this start that were last opened a second after each other, the first one longest ago. */
const fill = (count: number, bytes: number, bootId = site.cms.services.bootId): Promise<void> =>
  site.cms.database.tx(async (tx) => {
    await tx.query({
      text: `insert into preview (token_hash, entry_id, snapshot, bytes, boot_id, created_at, last_used_at, expires_at)
        select sha256(('fill ' || n)::bytea), $1, '{"title":"f","slug":"f","data":{}}', $2, $3, $4::timestamptz,
          $4::timestamptz - make_interval(secs => $5 - n + 1), $4::timestamptz + interval '1 hour'
        from generate_series(1, $5::int) n`,
      values: [entryId, bytes, bootId, site.clock.now(), count],
    })
  })
const left = async (): Promise<{ count: number; bytes: number; oldest: number | null }> => {
  const [row] = await site.cms.database.db.query<{ count: number; bytes: number; oldest: number | null }>({
    text: `select count(*) as count, coalesce(sum(bytes), 0)::bigint as bytes,
        (select min(n) from generate_series(1, 200) n
          where sha256(('fill ' || n)::bytea) in (select token_hash from preview)) as oldest
      from preview where snapshot is not null`,
  })
  return row ?? assert.fail()
}

describe('the store of snapshots', () => {
  test('keeps 100; the 101st takes the place of the one that was opened longest ago', async () => {
    const first = await preview({ title: 'first' })
    site.clock.advance(1_000)
    const second = await preview({ title: 'second' })
    await fill(MAX_SNAPSHOTS - 2, 10)
    site.clock.advance(10_000)
    assert.equal((await left()).count, MAX_SNAPSHOTS)
    assert.equal(await statusOf(second), 200)
    const third = await preview({ title: 'third' })
    assert.deepEqual(await left(), { count: MAX_SNAPSHOTS, bytes: (await left()).bytes, oldest: 2 })
    for (const token of [first, second, third]) assert.equal(await statusOf(token), 200)
  })

  test('keeps 16 MiB', async () => {
    await fill(16, MIB)
    await preview({ title: 'one more' })
    const kept = await left()
    assert.ok(kept.bytes <= 16 * MIB)
    assert.deepEqual([kept.count, kept.oldest], [16, 2])
  })

  test('holds its limits while two processes add to it at once', async () => {
    const other = await startCms({ databaseUrl: site.databaseUrl, clock: site.clock })
    try {
      await fill(MAX_SNAPSHOTS - 5, 10)
      const adding = Array.from({ length: 20 }, (_, n) => preview({ title: `t${n}` }, n % 2 === 0 ? site : other))
      const tokens = await Promise.all(adding)
      assert.equal((await left()).count, MAX_SNAPSHOTS)
      assert.equal((await left()).oldest, 16)
      for (const token of tokens) assert.equal(await statusOf(token), 200)
    } finally {
      await other.close()
    }
  })

  test('does not count links to what is saved', async () => {
    await fill(MAX_SNAPSHOTS, 10)
    const saved = await preview()
    assert.deepEqual([(await left()).count, (await left()).oldest], [MAX_SNAPSHOTS, 1])
    assert.equal(await statusOf(saved), 200)
  })

  test('gives up snapshots of ended starts before any other', async () => {
    const mine = await preview({ title: 'mine' })
    site.clock.advance(60_000)
    await fill(MAX_SNAPSHOTS - 1, 10, '01990000-0000-7000-8000-000000000000')
    const next = await preview({ title: 'next' })
    assert.equal((await left()).count, MAX_SNAPSHOTS)
    for (const token of [mine, next]) assert.equal(await statusOf(token), 200)
  })

  test('forgets what has expired', async () => {
    await fill(3, 10)
    await preview()
    site.clock.advance(3_600_000)
    await site.cms.database.tx((tx) => deleteExpiredPreviews(tx, site.clock.now(), 100))
    assert.deepEqual(await site.cms.database.db.query({ text: 'select 1 from preview' }), [])
  })
})

describe('processes', () => {
  test('a snapshot is shown by every process while the start that made it lives, and by none afterwards', async () => {
    const other = await startCms({ databaseUrl: site.databaseUrl, clock: site.clock })
    await other.cms.services.bus.ready()
    const [unsaved, saved] = [await preview({ title: 'there' }, other), await preview(undefined, other)]
    assert.equal(await statusOf(unsaved, other), 200)
    assert.equal(await statusOf(unsaved), 200)
    await other.close()
    assert.equal(await statusOf(unsaved), 404)
    assert.equal(await statusOf(saved), 200)
    const restarted = await startCms({ databaseUrl: site.databaseUrl, clock: site.clock })
    try {
      await restarted.cms.services.bus.ready()
      assert.equal(await statusOf(unsaved, restarted), 404)
      assert.equal(await statusOf(saved, restarted), 200)
    } finally {
      await restarted.close()
    }
  })

  test('a name in the connection string does not hide that a start lives', async () => {
    const url = new URL(site.databaseUrl)
    url.searchParams.set('application_name', 'mine')
    const other = await startCms({ databaseUrl: url.href, clock: site.clock })
    try {
      await other.cms.services.bus.ready()
      assert.equal(await statusOf(await preview({ title: 'named' }, other)), 200)
    } finally {
      await other.close()
    }
  })

  test('the database has no token that could be opened', async () => {
    const token = await preview({ title: newToken() })
    const rows = await site.cms.database.db.query<{ text: string }>({ text: 'select p::text as text from preview p' })
    assert.equal(rows.length, 1)
    assert.ok(!rows[0]?.text.includes(token))
  })
})
