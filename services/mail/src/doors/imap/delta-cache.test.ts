import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Delta, readDelta } from '../../store/messages/selection.ts'
import { createDeltaCache, type Since, type ViewedFolder } from './delta-cache.ts'
import { type ImapGround, startImapGround } from './testing/ground.ts'

let ground: ImapGround
before(async () => {
  ground = await startImapGround()
})
after(() => ground.close())

const PLACE: ViewedFolder = { addressId: 'a', viewerId: null, folderId: 'f' }
const delta = (modseq: number, uids: readonly number[] = [], expunged: number[] = []): Delta => ({
  modseq,
  isThere: true,
  isForgotten: false,
  expunged,
  entries: uids.map((uid) => ({ uid, modseq, deleted: false, keywords: [] })),
})
/** Returns the given answers one after the other, and records what it was asked. */
const scripted = (...answers: (Delta | null)[]) => {
  const asked: Since[] = []
  const cache = createDeltaCache(async (_place, since) => {
    asked.push(since)
    return answers[asked.length - 1] ?? assert.fail('asked too often')
  })
  return { asked, cache }
}
const from = (since: number, expungedSince: number | null = since): Since => ({ since, expungedSince })

describe('what several sessions of a folder get', () => {
  test('is read once, and each gets what is news to it', async () => {
    const { asked, cache } = scripted(delta(10), delta(12, [3]), delta(13, [4], [3]))
    cache.join(PLACE)
    cache.join(PLACE)
    assert.equal((await cache.read(PLACE, from(9), 10))?.modseq, 10)
    const [one, other] = await Promise.all([cache.read(PLACE, from(10), 12), cache.read(PLACE, from(11, null), 12)])
    assert.deepEqual([one?.entries.map(({ uid }) => uid), other?.entries.map(({ uid }) => uid)], [[3], [3]])
    const later = await cache.read(PLACE, from(12), 13)
    assert.deepEqual([later?.modseq, later?.entries.map(({ uid }) => uid), later?.expunged], [13, [4], [3]])
    assert.deepEqual((await cache.read(PLACE, from(10), 13))?.expunged, [3])
    assert.deepEqual((await cache.read(PLACE, from(13), 13))?.entries, [])
    assert.deepEqual(asked, [from(9), from(10), from(12)])
  })

  test('is queried by a session that is alone, or further behind than the cache', async () => {
    const { asked, cache } = scripted(delta(5), delta(6), delta(7))
    const leave = cache.join(PLACE)
    await cache.read(PLACE, from(1), 5)
    cache.join(PLACE)
    await cache.read(PLACE, from(5), 6)
    await cache.read(PLACE, from(2), 6)
    leave()
    assert.deepEqual(asked, [from(1), from(5), from(2)])
  })

  test('is not what a read had found that began too early', async () => {
    const gate = Promise.withResolvers<void>()
    const answers = [delta(10), delta(11, [1]), delta(12, [2])]
    let count = 0
    const cache = createDeltaCache(async () => {
      count += 1
      const answer = answers[count - 1] ?? assert.fail('asked too often')
      if (count === 2) await gate.promise
      return answer
    })
    cache.join(PLACE)
    cache.join(PLACE)
    await cache.read(PLACE, from(10), 10)
    const early = cache.read(PLACE, from(10), 11)
    const late = cache.read(PLACE, from(10), 12)
    gate.resolve()
    assert.deepEqual(
      (await late)?.entries.map(({ uid }) => uid),
      [1, 2],
    )
    assert.ok(((await early)?.modseq ?? 0) >= 11)
    assert.equal(count, 3)
  })

  test('is forgotten when the folder goes, and a failure goes to the caller', async () => {
    const gone = { ...delta(11), isThere: false }
    const { cache } = scripted(delta(10), gone, gone)
    cache.join(PLACE)
    cache.join(PLACE)
    await cache.read(PLACE, from(10), 10)
    assert.equal((await cache.read(PLACE, from(10), 11))?.isThere, false)
    await assert.rejects(cache.read(PLACE, from(10), 12), /asked too often/)
  })

  test('is what the database has, whatever happens', async () => {
    const address = await ground.address()
    const folderId = await ground.folderId(address)
    const place = { addressId: address.id, viewerId: null, folderId }
    const ask = (where: ViewedFolder, since: Since) => readDelta(ground.database.db, { ...where, ...since })
    const cache = createDeltaCache(ask)
    cache.join(place)
    cache.join(place)
    const writer = await ground.signIn(address)
    await writer.ok('select inbox')
    const seen = [0, 0, 0]
    for (let round = 0; round < 40; round += 1) {
      const { uid } = await ground.add(address)
      if (round % 2 === 0) await writer.ok(`uid store ${uid} +flags (k${round % 5})`)
      if (round % 7 === 3) await writer.ok(`uid store ${uid - 1} +flags (\\Deleted)`)
      if (round % 7 === 3) await writer.ok('expunge')
      const session = round % 3
      const since = from(seen[session] ?? 0)
      const expected = await ask(place, since)
      const given = await cache.read(place, since, expected?.modseq ?? 0)
      const gone = new Set(given?.expunged)
      assert.deepEqual(given?.entries, expected?.entries)
      assert.ok(expected?.expunged.every((one) => gone.has(one)))
      seen[session] = expected?.modseq ?? 0
    }
  })
})
