import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { failOn } from '@stoa/tests/lib/fail-on.ts'
import { recordTrainingSample, trainingOfMove } from '../../store/messages/training-samples.ts'
import { type Mailbox, type StoreGround, silent, startStore } from '../../store/testing/ground.ts'
import { learnPending } from './pending.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
let ground: StoreGround
let mailbox: Mailbox
before(async () => {
  ground = await startStore()
})
after(() => ground.close())
beforeEach(async () => {
  await ground.database.pool.query('delete from spam_pending')
  mailbox = await ground.mailbox()
})

const note = (messageIds: string[], verdict: 'spam' | 'ham') =>
  ground.database.tx((tx) => recordTrainingSample(tx, { addressId: mailbox.addressId, messageIds, verdict, now: NOW }))
const run = () => learnPending({ database: ground.database, blobs: ground.blobs, log: silent, now: NOW })
const training = async () => {
  const text = 'select spam, ham from spam_training where address_id = $1'
  return (await ground.database.db.query({ text, values: [mailbox.addressId] }))[0]
}
const pending = async () => (await ground.database.db.query({ text: 'select from spam_pending' })).length

describe('moving a message', () => {
  const roles = (...names: (string | null)[]) => new Set(names)
  test('into Junk marks it as spam, out of it as not spam, and deleting it as neither', () => {
    assert.equal(trainingOfMove(roles('inbox'), roles('junk')), 'spam')
    assert.equal(trainingOfMove(roles(null), roles('junk', 'inbox')), 'spam')
    assert.equal(trainingOfMove(roles('junk'), roles('inbox')), 'ham')
    assert.equal(trainingOfMove(roles('junk'), roles(null)), 'ham')
    assert.equal(trainingOfMove(roles('junk'), roles('trash')), null)
    assert.equal(trainingOfMove(roles('junk'), roles()), null)
    assert.equal(trainingOfMove(roles('junk'), roles('junk', 'archive')), null)
    assert.equal(trainingOfMove(roles('inbox'), roles('archive')), null)
  })
})

describe('a noted sample', () => {
  test('that cannot be learned stays, and those behind it are learned', async (t) => {
    const ids = [(await ground.add(mailbox)).messageId, (await ground.add(mailbox)).messageId]
    await note(ids, 'spam')
    const first = `(select blob_key from spam_pending order by address_id, blob_key limit 1)`
    const [row] = await ground.database.db.query<{ key: string }>({ text: `select ${first} as key` })
    t.after(await failOn(ground.database, 'delete', 'spam_pending', `old.blob_key = '${row?.key}'`))
    assert.deepEqual([await run(), await pending()], [1, 1])
    assert.deepEqual(await training(), { spam: 1, ham: 0 })
  })

  test('is learned once, by the first process', async () => {
    const { messageId } = await ground.add(mailbox)
    await note([messageId], 'spam')
    const done = await Promise.all([run(), run(), run()])
    assert.equal(
      done.reduce((sum, count) => sum + count, 0),
      1,
    )
    assert.deepEqual(await training(), { spam: 1, ham: 0 })
    assert.equal(await run(), 0)
    assert.equal(await pending(), 0)
  })

  test('that is taken back before it was learned is never learned', async () => {
    const { messageId } = await ground.add(mailbox)
    await note([messageId], 'spam')
    await note([messageId], 'ham')
    await run()
    assert.deepEqual(await training(), { spam: 0, ham: 1 })
    await note([messageId], 'spam')
    await run()
    assert.deepEqual(await training(), { spam: 1, ham: 0 })
  })

  test('of a message whose content is gone is dropped', async () => {
    const { messageId } = await ground.add(mailbox)
    await note([messageId], 'spam')
    for await (const { key } of ground.blobs.list()) await ground.blobs.delete(key)
    assert.equal(await run(), 1)
    assert.deepEqual([await training(), await pending()], [undefined, 0])
  })

  test('is none for messages of others and for none', async () => {
    const other = await ground.mailbox()
    const { messageId } = await ground.add(other)
    await note([messageId], 'spam')
    await note([], 'spam')
    assert.equal(await pending(), 0)
  })
})
