import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { failOn } from '@stoa/tests/lib/fail-on.ts'
import { mp4 } from '@stoa/tests/lib/video.ts'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import sharp from 'sharp'
import { sweepBlobs } from '../../content/media/jobs.ts'
import { halves, picture, sideways } from '../../content/media/testing/fixtures.ts'
import { contextFor } from '../../context.ts'
import { lookAgain, pruneRenditions } from './jobs.ts'
import { layOut } from './renditions.ts'
import { type Ground, startGround } from './testing/ground.ts'
import { testNetwork } from './testing/network.ts'
import { SYSTEM } from './worker.ts'

const SECOND = 1_000
const HOUR = 3_600_000
const SMALL_BYTES = 6_000

let ground: Ground
let folder: string
/** Addresses that the network was given. */
const given: string[] = []
let address: string | null = null
let findAddress = async () => address
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stoa-social-'))
  const demo = testNetwork()
  const other = testNetwork({
    label: 'Other',
    publisher: {
      ...demo.publisher,
      async upload({ outgoing }) {
        for (const media of outgoing.media) given.push(await media.publicUrl())
      },
      lookAgain: { afterMs: [600 * SECOND, HOUR], run: () => findAddress() },
    },
  })
  const same = testNetwork({
    label: 'Same',
    limits: {
      imageMaxBytes: SMALL_BYTES,
      image: { delivery: 'upload', maxWidth: null, aspect: null, isSameSize: true },
    },
  })
  const small = testNetwork({ label: 'Small', limits: { imageMaxBytes: SMALL_BYTES } })
  ground = await startGround({ networks: { demo, other, same, small }, env: { STORAGE_LOCAL_DIR: folder } })
})
after(async () => {
  await ground.close()
  rmSync(folder, { recursive: true, force: true })
})

const upload = async (bytes: Buffer): Promise<string> => {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)]), 'picture.bin')
  const response = await fetch(`${ground.url}/api/media`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${ground.editor.token}` },
  })
  const body = (await response.json()) as { id: string }
  assert.equal(response.status, 201, JSON.stringify(body))
  return body.id
}
const only = async (id: string) => (await ground.read(id)).targets[0] ?? assert.fail('no target')

const renditions = (postId: string) =>
  ground.cms.database.db.query<{ size: number; width: number; height: number }>({
    text: `select r.size, r.width, r.height from social_rendition r join social_target t on t.id = r.target_id
      where t.post_id = $1`,
    values: [postId],
  })

describe('a picture', () => {
  test('that the network shows gets borders or a smaller size, never a larger one', () => {
    const limits = { image: { delivery: 'upload' as const, maxWidth: 1_000, aspect: [0.8, 2] as const } }
    const plan = (width: number, height: number) => layOut({ width, height }, limits, null)
    assert.deepEqual(plan(500, 400), { inner: { width: 500, height: 400 }, outer: { width: 500, height: 400 } })
    assert.deepEqual(plan(2_000, 1_600).outer, { width: 1_000, height: 800 })
    assert.deepEqual(plan(1_000, 100), { inner: { width: 1_000, height: 100 }, outer: { width: 1_000, height: 500 } })
    assert.deepEqual(plan(100, 1_000), { inner: { width: 100, height: 1_000 }, outer: { width: 800, height: 1_000 } })
    assert.deepEqual(plan(900, 9_000).outer, { width: 1_000, height: 1_250 })
  })

  test('goes out as an upright JPEG at an address that ends a day after posting', async () => {
    const mediaId = await upload(await sideways(60, 40))
    const png = await upload(await halves('png', 3_000, 1_500))
    const { id } = await ground.post([await ground.account({ network: 'other' })], {
      media: [{ mediaId }, { mediaId: png }],
    })
    await ground.publish(id)
    await ground.runDue()
    assert.equal((await ground.read(id)).status, 'posted', JSON.stringify(await only(id)))
    const [upright = '', wide = ''] = given
    assert.match(upright, /\/media\/social\/[\w-]{43}\.jpg$/)
    const get = (url: string) => fetch(ground.url + new URL(url).pathname)
    const answer = await get(upright)
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/jpeg'])
    const shown = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
    assert.deepEqual([shown.format, shown.width, shown.height, shown.orientation], ['jpeg', 48, 60, undefined])
    const small = await sharp(Buffer.from(await (await get(wide)).arrayBuffer())).metadata()
    assert.deepEqual([small.format, small.width, small.height], ['jpeg', 1_000, 500])
    ground.clock.advance(23 * HOUR)
    assert.equal((await get(wide)).status, 200)
    ground.clock.advance(HOUR)
    assert.equal((await get(wide)).status, 404)
    const ctx = contextFor(ground.cms.services, SYSTEM)
    await pruneRenditions(ctx)
    await sweepBlobs(ctx)
    const [{ count } = { count: -1 }] = await ctx.db.query<{ count: number }>({
      text: 'select count(*) as count from social_rendition',
    })
    assert.equal(count, 0)
    assert.equal((await get(`${ground.url}/media/social/${'x'.repeat(43)}.jpg`)).status, 404)
  })

  test('of a network that wants all in one size gets the size of the first, and white borders', async () => {
    const media = [
      { mediaId: await upload(await picture('jpeg', 64, 48)) },
      { mediaId: await upload(await halves('png', 90, 30)) },
      { mediaId: await upload(await halves('png', 20, 40)) },
    ]
    const { id } = await ground.post([await ground.account({ network: 'same' })], { media })
    await ground.publish(id)
    await ground.runDue()
    assert.deepEqual(
      (await renditions(id)).map(({ width, height }) => [width, height]),
      [
        [64, 48],
        [64, 48],
        [64, 48],
      ],
    )
  })

  test('that is too heavy loses quality, then size; where the size is fixed, the target fails with words', async () => {
    const noise = await sharp({
      create: {
        width: 260,
        height: 200,
        channels: 3,
        background: '#777',
        noise: { type: 'gaussian', mean: 128, sigma: 80 },
      },
    })
      .png()
      .toBuffer()
    const mediaId = await upload(noise)
    const { id } = await ground.post([await ground.account({ network: 'small' })], { media: [{ mediaId }] })
    await ground.publish(id)
    await ground.runDue()
    const [made] = await renditions(id)
    assert.ok(made && made.size <= SMALL_BYTES && made.width < 260, JSON.stringify(made))
    assert.equal(Math.round((made.width / made.height) * 10), 13, 'it keeps its shape')
    const { id: fixed } = await ground.post([await ground.account({ network: 'same' })], { media: [{ mediaId }] })
    await ground.publish(fixed)
    await ground.runDue()
    const target = await only(fixed)
    assert.deepEqual([target.status, target.error?.code, target.nextAttemptAt], ['failed', 'MEDIA_TOO_LARGE', null])
  })

  test('that fits is sent as it is', async () => {
    const bytes = await picture('jpeg', 50, 40)
    const mediaId = await upload(bytes)
    const { id } = await ground.post([await ground.account()], { media: [{ mediaId, alt: 'Red' }] })
    await ground.publish(id)
    await ground.runDue()
    assert.equal((await ground.read(id)).status, 'posted')
    assert.equal((await renditions(id))[0]?.size, bytes.length)
  })
})

describe('a network that works on a picture', () => {
  test('is asked after 2, 4, 8, 15 and 30 seconds, and holds no slot meanwhile', async () => {
    const mediaId = await upload(await picture('jpeg', 60, 50))
    const { id } = await ground.post([await ground.account()], { media: [{ mediaId }] })
    ground.processing.left = 6
    const asked = () => ground.fakes.journal('demo').filter(({ call }) => call === 'status').length
    const before = asked()
    await ground.publish(id)
    await ground.runDue()
    for (const wait of [2, 4, 8, 15, 30, 30]) {
      const count = asked()
      ground.clock.advance(wait * SECOND - 1)
      await ground.runDue()
      assert.equal(asked(), count, `not before ${wait} s`)
      const target = await only(id)
      assert.deepEqual([target.status, target.step, target.attempts], ['publishing', 'wait', 1])
      ground.clock.advance(1)
      await ground.runDue()
    }
    assert.equal((await ground.read(id)).status, 'posted')
    assert.equal(asked() - before, 7)
    assert.equal(ground.fakes.journal('demo').filter(({ call }) => call === 'upload').length, 2, 'it is sent once')
  })

  test('and never ends is given up after ten minutes', async () => {
    const mediaId = await upload(await picture('jpeg', 70, 60))
    const { id } = await ground.post([await ground.account()], { media: [{ mediaId }] })
    ground.processing.left = 1_000
    await ground.publish(id)
    for (let minutes = 0; minutes < 11; minutes += 0.5) {
      await ground.runDue()
      ground.clock.advance(30 * SECOND)
    }
    const target = await only(id)
    assert.deepEqual([target.status, target.error?.code, target.nextAttemptAt], ['failed', 'PROCESSING_TIMEOUT', null])
    ground.processing.left = 0
  })

  test('keeps nobody waiting who sends a video, and is given an hour for it', async () => {
    const mediaId = await upload(mp4())
    const { id } = await ground.post([await ground.account()], { media: [{ mediaId }] })
    ground.processing.left = 1_000
    const patient = await ground.second({ socialWaitMs: 600_000 })
    const answer = patient.client({ token: ground.editor.token }).post(`/api/social/posts/${id}/publish`, {})
    const done = answer.then(() => true)
    while (!(await Promise.race([done, passTime(20, 'between two runs')]))) await ground.runDue()
    const { status, targets } = (await answer).body
    assert.deepEqual([status, targets[0].step], ['publishing', 'wait'])
    const poll = async (minutes: number) => {
      ground.clock.advance(minutes * 60 * SECOND)
      await ground.runDue()
      return (await only(id)).status
    }
    assert.deepEqual([await poll(59), await poll(1)], ['publishing', 'failed'])
    assert.equal((await only(id)).error?.code, 'PROCESSING_TIMEOUT')
    ground.processing.left = 0
  })
})

describe('an address that the network knows later', () => {
  const posted = async () => {
    const { id } = await ground.post([await ground.account({ network: 'other' })])
    await ground.publish(id)
    await ground.runDue()
    return id
  }
  const urlOf = async (id: string) => (await only(id)).url
  const look = () => lookAgain(ground.cms.services)
  beforeEach(() => {
    address = null
  })

  test('is looked for, then left alone', async () => {
    const id = await posted()
    const before = await urlOf(id)
    await look()
    ground.clock.advance(600 * SECOND)
    await look()
    assert.equal(await urlOf(id), before)
    address = 'https://other.test/final'
    ground.clock.advance(HOUR)
    await look()
    assert.equal(await urlOf(id), address)
    const found = address
    address = 'https://other.test/even-later'
    ground.clock.advance(24 * HOUR)
    await look()
    assert.equal(await urlOf(id), found)
  })

  test('that cannot be saved is looked for again, and keeps no other from being saved', async () => {
    const [bad, good] = [await posted(), await posted()]
    address = 'https://other.test/saved'
    ground.clock.advance(600 * SECOND)
    const condition = `new.post_id = '${bad}' and new.url = '${address}'`
    const mend = await failOn(ground.cms.database, 'update', 'social_target', condition)
    await look()
    assert.deepEqual([await urlOf(good), (await urlOf(bad)) === address], [address, false])
    await mend()
    ground.clock.advance(HOUR)
    await look()
    assert.equal(await urlOf(bad), address)
  })

  test('is looked for by one process at a time, and again after that process died', async () => {
    const id = await posted()
    ground.clock.advance(600 * SECOND)
    let looks = 0
    findAddress = () => {
      looks += 1
      return new Promise(() => undefined)
    }
    void look()
    await until(() => looks === 1)
    findAddress = async () => {
      looks += 1
      return address
    }
    ground.clock.advance(20 * 60 * SECOND)
    await look()
    assert.equal(looks, 1)
    ground.clock.advance(10 * 60 * SECOND)
    await look()
    assert.equal(looks, 2)
    // What never ended doesn't count: the second look comes at its time.
    address = 'https://other.test/after-all'
    ground.clock.advance(20 * 60 * SECOND)
    await look()
    assert.equal(await urlOf(id), address)
  })
})
