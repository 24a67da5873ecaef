import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MailDatabase, openMailDatabase } from '../hosting/addresses/testing/database.ts'
import { plantAccount } from '../hosting/addresses/testing/hosting.ts'
import { readPage } from './pagination.ts'

describe('a page of a list', () => {
  let mail: MailDatabase
  before(async () => {
    mail = await openMailDatabase()
    for (let count = 0; count < 12; count += 1)
      await plantAccount(mail.database, { email: `p${String(count % 6)}-${count}@list.test`, plan: `plan${count % 3}` })
  })
  after(() => mail.close())

  const page = (number: number, direction: 'asc' | 'desc' = 'asc') =>
    readPage(
      mail.database.db.selectFrom('account').select(['id', 'plan']),
      { page: number, per_page: 10, sort: 'plan', direction, search: '' },
      { columns: { plan: 'account.plan' }, id: 'account.id' },
    )

  test('holds what belongs on it, and the number of all', async () => {
    const [first, second] = [await page(1), await page(2)]
    assert.deepEqual([first.rows.length, second.rows.length, first.total, second.total], [10, 2, 12, 12])
    const all = [...first.rows, ...second.rows]
    assert.equal(new Set(all.map(({ id }) => id)).size, 12)
    assert.deepEqual(
      all.map(({ plan }) => plan),
      all.map(({ plan }) => plan).toSorted(),
    )
  })

  test('has the same order among equals each time, and the opposite one in the other direction', async () => {
    const up = [...(await page(1)).rows, ...(await page(2)).rows]
    const down = [...(await page(1, 'desc')).rows, ...(await page(2, 'desc')).rows]
    assert.deepEqual(down, up.toReversed())
  })

  test('past the end is empty', async () => {
    assert.deepEqual(await page(3), { rows: [], total: 12 })
  })
})
