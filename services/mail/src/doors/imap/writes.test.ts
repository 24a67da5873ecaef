import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { isBusy } from '@stoa/kit/db/errors.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { lockMailbox } from '../../store/mailbox/mailbox-queries.ts'
import { readMailbox } from '../../store/store.ts'
import { type StoreGround, silent, startStore } from '../../store/testing/ground.ts'
import type { Tables } from '../../tables.ts'
import { createWriteMailbox } from './writes.ts'

describe('a mailbox that somebody else keeps locked', () => {
  let store: StoreGround
  before(async () => {
    store = await startStore()
  })
  after(() => store.close())

  const impatient = (statementTimeoutMs: number) =>
    openDatabase<Tables>({ url: store.url, poolSize: 2, log: silent, statementTimeoutMs })

  test('is waited for longer than one statement may take', async () => {
    const mailbox = await store.mailbox()
    const database = impatient(1_000)
    const watch = database.watchStatements()
    const write = createWriteMailbox(database)
    let writing: Promise<unknown> | undefined
    await store.database.tx(async (tx) => {
      await lockMailbox(tx, mailbox.addressId)
      writing = write(mailbox.addressId, (tx) => store.addIn(tx, mailbox))
      await until(() => watch.texts.filter((text) => text === 'begin').length >= 2)
    })
    await writing
    watch.stop()
    assert.equal((await readMailbox(store.database.db, mailbox.addressId)).messageCount, 1)
    await database.close()
  })

  test('and not free in the end has refused the write as busy, and nothing was stored', async () => {
    const mailbox = await store.mailbox()
    const database = impatient(100)
    const write = createWriteMailbox(database)
    await store.database.tx(async (tx) => {
      await lockMailbox(tx, mailbox.addressId)
      await assert.rejects(
        write(mailbox.addressId, (tx) => store.addIn(tx, mailbox)),
        isBusy,
      )
      const three = Array.from({ length: 3 }, () => write(mailbox.addressId, (tx) => store.addIn(tx, mailbox)))
      for (const { status, ...result } of await Promise.allSettled(three)) {
        assert.equal(status, 'rejected')
        assert.ok('reason' in result && isBusy(result.reason), String(result))
      }
    })
    assert.equal((await readMailbox(store.database.db, mailbox.addressId)).messageCount, 0)
    await database.close()
  })
})
