import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { StoreRefusal } from '../refusal.ts'
import { queryMessages } from '../search/query.ts'
import { type Mailbox, NOW, type StoreGround, silent, startStore } from '../testing/ground.ts'
import { positionsOf } from './positions.ts'

let ground: StoreGround
let mailbox: Mailbox
before(async () => {
  ground = await startStore()
  mailbox = await ground.mailbox()
})
after(() => ground.close())

test('messages stand where the query has them, with the state of the mailbox', async () => {
  const parts = { database: ground.database, blobs: ground.blobs, log: silent }
  for (let day = 0; day < 6; day += 1)
    await ground.add(mailbox, {
      id: `${day}@x`,
      subject: `Thread ${day % 2}`,
      references: [`thread${day % 2}@x`],
      receivedAt: new Date(NOW.getTime() + day * 86_400_000),
    })
  const { addressId } = mailbox
  for (const collapseThreads of [false, true]) {
    const query = { addressId, filter: { inFolder: mailbox.folders.inbox }, collapseThreads }
    const { ids, modseq } = await queryMessages(parts, { ...query, limit: 10 })
    const found = await positionsOf(parts, query, [...ids.toReversed(), newId()])
    assert.deepEqual([found.modseq, found.total], [modseq, collapseThreads ? 2 : 6])
    assert.deepEqual(
      found.places,
      ids.map((id, position) => ({ id, position })),
    )
    assert.deepEqual((await positionsOf(parts, query, [])).places, [])
  }
  await assert.rejects(positionsOf(parts, { addressId: newId(), filter: {} }, []), StoreRefusal)
})
