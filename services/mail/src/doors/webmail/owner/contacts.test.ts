import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { type Owner, plantOwner, refused, stateOf } from '../testing/owner.ts'

let mail: MailService
before(async () => {
  mail = await startMail()
})
after(() => mail.close())

let count = 0
const owner = (): Promise<Owner> => plantOwner(mail, `ada@contacts-${++count}.test`, { name: 'Ada' })
const list = async ({ client }: Owner, query = '') => (await client.get(`/api/mail/contacts${query}`)).body
const patch = ({ client }: Owner, id: string, body: object) =>
  client.send('PATCH', `/api/mail/contacts/${id}`, { body })

describe('contacts', () => {
  test('are who was written to, most often first, by their names, and can be forgotten', async () => {
    const [ada, bob] = [await owner(), await owner()]
    await ada.post('send', { to: ['Grace Hopper <grace@elsewhere.org>'], bcc: ['ALAN@elsewhere.org'] })
    await ada.post('send', { to: ['grace@elsewhere.org'] })
    await ada.post('send', { to: ['half'] })
    await ada.post('drafts', { to: ['draft@elsewhere.org'] })
    const now = mail.clock.now().toISOString()
    const rest = { last_used_at: now, created_at: now, note: null, saved: false }
    const { data } = await list(ada)
    assert.deepEqual(
      data.map(({ id: _, ...contact }: { id: string }) => contact),
      [
        { object: 'contact', email: 'grace@elsewhere.org', name: 'Grace Hopper', uses: 2, ...rest },
        { object: 'contact', email: 'alan@elsewhere.org', name: null, uses: 1, ...rest },
      ],
    )
    assert.deepEqual((await list(ada, '?search=HOPPER')).data, [data[0]])
    refused(await bob.client.send('DELETE', `/api/mail/contacts/${data[0].id}`), 404, 'not_found')
    assert.equal((await list(bob)).total, 0)
    const gone = await ada.client.send('DELETE', `/api/mail/contacts/${data[0].id}`)
    assert.deepEqual(gone.body, { object: 'contact', id: data[0].id, deleted: true })
    refused(await ada.client.send('DELETE', `/api/mail/contacts/${data[0].id}`), 404, 'not_found')
    assert.deepEqual((await list(ada)).data, [data[1]])
  })

  test('are written down and changed by hand; what the owner wrote stays', async () => {
    const ada = await owner()
    const made = await ada.post('contacts', { email: ' Grace@Elsewhere.org ', name: ' Grace ', note: ' Navy\nCOBOL ' })
    const created_at = mail.clock.now().toISOString()
    const shown = { object: 'contact', id: made.body.id, email: 'grace@elsewhere.org', name: 'Grace' }
    const fresh = { note: 'Navy\nCOBOL', saved: true, uses: 0, last_used_at: null, created_at }
    assert.deepEqual([made.status, made.body], [201, { ...shown, ...fresh }])
    refused(await ada.post('contacts', { email: 'GRACE@elsewhere.org' }), 409, 'conflict', /already in your contacts/)
    const changed = await patch(ada, made.body.id, { name: 'Grace Hopper', note: '' })
    assert.deepEqual([changed.status, changed.body.name, changed.body.note], [200, 'Grace Hopper', null])
    assert.deepEqual((await patch(ada, made.body.id, {})).body, changed.body)
    // Sending counts, and does not rename whom the owner named.
    await ada.post('send', { to: ['Somebody Else <grace@elsewhere.org>', 'alan@elsewhere.org'] })
    const [grace, alan] = (await list(ada, '?sort=email&direction=desc')).data
    assert.deepEqual([grace.name, grace.uses, grace.last_used_at], ['Grace Hopper', 1, created_at])
    refused(await patch(ada, alan.id, { email: 'grace@elsewhere.org' }), 409, 'conflict')
    const moved = await patch(ada, alan.id, { email: 'Alan@Bletchley.org', name: null })
    assert.deepEqual([moved.body.email, moved.body.saved], ['alan@bletchley.org', true])
    assert.deepEqual((await list(ada, '?sort=last_used_at')).data.length, 2)
  })

  test('that are none, or somebody else’s, are refused and change nothing', async () => {
    const [ada, bob] = [await owner(), await owner()]
    const { id } = (await ada.post('contacts', { email: 'grace@elsewhere.org' })).body
    const before = await stateOf(mail, ada)
    refused(await ada.post('contacts', {}), 422, 'missing_required_field')
    for (const body of [
      { email: 'x' },
      { email: 5 },
      { email: 'a@b.org', name: 'two\nlines' },
      { email: 'a@b.org', name: 'x'.repeat(201) },
      { email: 'a@b.org', note: 'x'.repeat(2001) },
      { email: 'a@b.org', note: 7 },
    ])
      refused(await ada.post('contacts', body), 400, 'validation_error')
    for (const body of [{ email: null }, { email: 'x' }, { name: 5 }])
      refused(await patch(ada, id, body), 400, 'validation_error')
    for (const [who, which] of [
      [bob, id],
      [ada, newId()],
      [ada, 'x'],
    ] as const)
      refused(await patch(who, which, { name: 'taken over' }), 404, 'not_found')
    refused(await ada.client.send('DELETE', '/api/mail/contacts/suggestions'), 405, 'method_not_allowed')
    assert.deepEqual(await stateOf(mail, ada), before)
  })

  test('that were gathered are forgotten past a number, those that were written down are not', async () => {
    const ada = await owner()
    await ada.post('contacts', { email: 'kept@elsewhere.org' })
    await mail.database.pool.query(
      `insert into contact (address_id, id, email, uses, last_used_at, created_at)
       select $1, gen_random_uuid(), 'n' || n || '@elsewhere.org', 1, now() - n * interval '1 day', now()
       from generate_series(1, 10000) n`,
      [ada.address.id],
    )
    await ada.post('send', { to: ['new@elsewhere.org'] })
    assert.equal((await list(ada)).total, 10_001)
    assert.deepEqual((await list(ada, '?search=kept@')).total, 1)
    assert.deepEqual((await list(ada, '?search=n10000@')).total, 0)
  })
})

describe('suggested recipients', () => {
  const suggested = async ({ client }: Owner, search: string): Promise<string[]> =>
    (await client.get(`/api/mail/contacts/suggestions?${new URLSearchParams({ search })}`)).body.data.map(
      ({ name, email }: { name: string | null; email: string }) => `${name ?? ''}<${email}>`,
    )

  test('are contacts and people who wrote, not those of Junk and Trash', async () => {
    const [ada, bob] = [await owner(), await owner()]
    await ada.receive({ from: 'Grace Hopper <grace@elsewhere.org>' })
    await ada.receive({ from: 'Grave <grave@spam.org>', folderIds: [ada.folders.junk] })
    await ada.receive({ from: 'Gravel <gravel@gone.org>', folderIds: [ada.folders.trash] })
    await ada.post('send', { to: ['Grant <grant@elsewhere.org>'] })
    await bob.receive({ from: 'Grandma <gran@elsewhere.org>' })
    assert.deepEqual(await suggested(ada, 'gra'), ['Grant<grant@elsewhere.org>', 'Grace Hopper<grace@elsewhere.org>'])
    assert.deepEqual(await suggested(ada, 'hop gra'), ['Grace Hopper<grace@elsewhere.org>'])
    assert.deepEqual(await suggested(ada, 'grace@else'), ['Grace Hopper<grace@elsewhere.org>'])
    assert.deepEqual(await suggested(ada, 'nobody'), [])
    assert.deepEqual(await suggested(ada, "'"), [])
    assert.deepEqual(await suggested(ada, ''), ['Grant<grant@elsewhere.org>'])
    refused(await ada.client.get(`/api/mail/contacts/suggestions?search=${'x'.repeat(201)}`), 400, 'invalid_parameter')
  })
})
