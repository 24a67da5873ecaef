import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { type Owner, plantOwner, refused } from '../testing/owner.ts'

let mail: MailService
before(async () => {
  mail = await startMail()
})
after(() => mail.close())

let count = 0
const owner = (): Promise<Owner> => plantOwner(mail, `ada@labels-${++count}.test`)
const labels = async ({ client }: Owner, query = '') => (await client.get(`/api/mail/labels${query}`)).body
const put = ({ client }: Owner, name: string, body: object) =>
  client.send('PUT', `/api/mail/labels/${encodeURIComponent(name)}`, { body })

describe('labels', () => {
  test('are those of the mailbox with their counts, without the marks of programs', async () => {
    const [ada, bob] = [await owner(), await owner()]
    await bob.receive({ keywords: ['theirs'] })
    await ada.receive({ keywords: ['work', '$seen', 'tax-2026'] })
    await ada.receive({ keywords: ['work', '$flagged'] })
    assert.deepEqual((await labels(ada)).data, [
      { object: 'label', name: 'tax-2026', display_name: 'tax-2026', color: null, total: 1 },
      { object: 'label', name: 'work', display_name: 'work', color: null, total: 2 },
    ])
    assert.equal((await labels(ada, '?search=WO&sort=total&direction=desc')).total, 1)
    assert.deepEqual((await labels(ada, '?page=2')).data, [])
    assert.equal((await mail.client().get('/api/mail/labels')).status, 401)
  })

  test('are shown by a name in any script and a color, with or without messages', async () => {
    const [ada, bob] = [await owner(), await owner()]
    await ada.receive({ keywords: ['work'] })
    const display_name = 'Büro 事務所 \u{1f4bc}'
    const shown = await put(ada, 'WORK', { display_name: ` ${display_name.normalize('NFD')} `, color: '#1A73E8' })
    const work = { object: 'label', name: 'work', display_name, color: '#1a73e8', total: 1 }
    assert.deepEqual([shown.status, shown.body], [200, work])
    const empty = await put(ada, 'later', { display_name: 'Later', color: 'Teal' })
    assert.deepEqual([empty.body.color, empty.body.total], ['teal', 0])
    assert.deepEqual((await labels(ada)).data, [empty.body, work])
    assert.deepEqual((await labels(ada, `?search=${encodeURIComponent('BÜRO')}`)).data, [work])
    const plain = await put(ada, 'work', { display_name: 'Work' })
    assert.deepEqual([plain.body.display_name, plain.body.color], ['Work', null])
    assert.deepEqual((await labels(bob)).data, [])
    const gone = await ada.client.send('DELETE', '/api/mail/labels/work')
    assert.deepEqual([gone.status, gone.body], [200, { object: 'label', name: 'work', deleted: true }])
    const back = { ...work, display_name: 'work', color: null }
    assert.deepEqual((await labels(ada)).data, [empty.body, back])
  })

  test('that no mail program could carry, and looks that nobody could see, are refused', async () => {
    const ada = await owner()
    for (const name of ['$seen', 'two words', 'ü', 'x'.repeat(65)])
      refused(await put(ada, name, { display_name: 'x' }), 404, 'not_found')
    refused(await put(ada, 'work', { color: 'red' }), 422, 'missing_required_field')
    for (const body of [
      { display_name: ' ' },
      { display_name: 'two\nlines' },
      { display_name: 'x'.repeat(101) },
      { display_name: 5 },
      { display_name: 'x', color: 'reddish' },
      { display_name: 'x', color: '#12' },
      { display_name: 'x', color: 'url(x)' },
    ])
      refused(await put(ada, 'work', body), 400, 'validation_error')
    assert.deepEqual((await labels(ada)).data, [])
  })

  test('are at most five hundred with a look of their own', async () => {
    const ada = await owner()
    await mail.database.pool.query(
      `insert into label (address_id, name, display_name, updated_at)
       select $1, 'n' || n, 'N', now() from generate_series(1, 500) n`,
      [ada.address.id],
    )
    refused(await put(ada, 'more', { display_name: 'More' }), 413, 'quota_exceeded')
    assert.equal((await put(ada, 'n1', { display_name: 'One' })).body.display_name, 'One')
  })
})
