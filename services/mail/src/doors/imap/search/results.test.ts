import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { PlantedAddress } from '../../../hosting/addresses/testing/hosting.ts'
import type { MailOptions } from '../../../store/testing/ground.ts'
import type { ImapClient } from '../testing/client.ts'
import { type ImapGround, startImapGround } from '../testing/ground.ts'

let ground: ImapGround
before(async () => {
  ground = await startImapGround()
})
after(() => ground.close())

/** A session with these messages in its selected inbox. */
const open = async (...mails: MailOptions[]): Promise<{ address: PlantedAddress; client: ImapClient }> => {
  const address = await ground.address()
  for (const mail of mails) await ground.add(address, mail)
  const client = await ground.signIn(address)
  await client.ok('select inbox')
  return { address, client }
}
const raw = (...lines: string[]): MailOptions => ({ raw: `${lines.join('\r\n')}\r\n` })

describe('searches that are kept up to date', () => {
  const updates = (lines: readonly string[]): string[] =>
    lines.filter((line) => line.includes('ESEARCH')).map((line) => line.replace(/^.*"\) /, ''))

  test('what joins them and what leaves them is reported, until canceled', async () => {
    const { address, client } = await open({}, {}, {}, {}, {}, {})
    const [first = ''] = await client.ok('search return (update) seen')
    const [, tag = ''] = /TAG ("[^"]+")/.exec(first) ?? []
    assert.deepEqual(updates(await client.ok('store 1,2,5 +flags \\Seen')), ['ADDTO (0 1:2,5)'])
    assert.deepEqual(updates(await client.ok('store 1,2 -flags \\Seen')), ['REMOVEFROM (0 1:2)'])
    await client.ok('store 3:6 +flags \\Deleted')
    const expunged = await client.ok('expunge')
    assert.ok(expunged[0]?.endsWith('REMOVEFROM (0 5)'), 'reported before the numbers change')
    assert.deepEqual(updates(expunged), ['REMOVEFROM (0 5)'])
    await ground.add(address, { keywords: ['$seen'] })
    assert.deepEqual(updates(await client.ok('noop')), ['ADDTO (0 3)'])
    await client.ok(`cancelupdate ${tag}`)
    assert.deepEqual(updates(await client.ok('store 1 +flags \\Seen')), [])
  })

  test('with UIDs', async () => {
    const { client } = await open({}, {}, {}, {})
    await client.ok('store 1 +flags \\Deleted')
    await client.ok('expunge')
    const [first = ''] = await client.ok('uid search return (update all) or seen flagged')
    assert.match(first, /UID$/)
    assert.deepEqual(updates(await client.ok('store 2:3 +flags \\Seen')), ['UID ADDTO (0 3:4)'])
    assert.deepEqual(updates(await client.ok('store 1 +flags \\Flagged')), ['UID ADDTO (0 2)'])
  })

  test('more than a few are refused with a word', async () => {
    const { client } = await open({})
    for (let index = 0; index < 8; index += 1) await client.ok('search return (update) seen')
    assert.match((await client.ok('search return (update) seen')).join('\n'), /OK \[NOUPDATE "[^"]+"\]/)
  })
})

describe('SORT and THREAD', () => {
  test('by every key', async () => {
    const { client } = await open(
      {
        ...raw(
          'From: Bob <b@x.example>',
          'To: z@x.example',
          'Subject: b',
          'Date: Sun, 1 Mar 2026 10:00:00 +0200',
          '',
          'x',
        ),
        receivedAt: new Date(3_000_000),
      },
      {
        ...raw(
          'From: <c@x.example>',
          'To: team: a@x.example;',
          'Subject: Re: a',
          'Date: Sun, 1 Mar 2026 09:00:00 +0000',
          '',
          'xx',
        ),
        receivedAt: new Date(2_000_000),
      },
      {
        ...raw('From: Ann <d@x.example>', 'Cc: q@x.example', 'Subject: C', '', 'xxx'),
        receivedAt: new Date(1_000_000),
      },
    )
    const sort = async (text: string) => (await client.ok(`sort (${text}) us-ascii all`))[0]
    assert.equal(await sort('arrival'), '* SORT 3 2 1')
    assert.equal(await sort('reverse arrival'), '* SORT 1 2 3')
    assert.equal(await sort('date'), '* SORT 3 1 2')
    assert.equal(await sort('from'), '* SORT 1 2 3')
    assert.equal(await sort('displayfrom'), '* SORT 3 1 2')
    assert.equal(await sort('to'), '* SORT 3 2 1')
    assert.equal(await sort('displayto'), '* SORT 3 2 1')
    assert.equal(await sort('cc reverse arrival'), '* SORT 1 2 3')
    assert.equal(await sort('subject'), '* SORT 2 1 3')
    assert.equal(await sort('size'), '* SORT 3 1 2')
    const [line = ''] = await client.ok('uid sort return (min max count all) (subject) utf-8 1:*')
    assert.match(line, /UID MIN 2 MAX 3 COUNT 3 ALL 2,1,3$/)
    assert.match((await client.ok('sort return (partial 2:3) (subject) utf-8 all'))[0] ?? '', /PARTIAL \(2:3 1,3\)$/)
    assert.deepEqual(await client.ok('sort (date) utf-8 seen'), ['* SORT'])
  })

  test('by references and by subject', async () => {
    const { client } = await open(
      { id: 'a@x', subject: 'Roof' },
      { id: 'b@x', subject: 'Re: Roof', references: ['a@x'] },
      { id: 'c@x', subject: 'Re: Roof', references: ['a@x', 'b@x'] },
      { id: 'd@x', subject: 'Other' },
      { id: 'e@x', subject: 'Re: Roof', references: ['a@x'] },
    )
    assert.deepEqual(await client.ok('thread references us-ascii all'), ['* THREAD (1 (2 3)(5))(4)'])
    assert.deepEqual(await client.ok('thread orderedsubject us-ascii all'), ['* THREAD (1 (2)(3)(5))(4)'])
    await client.ok('store 2 +flags \\Deleted')
    await client.ok('expunge')
    assert.deepEqual(await client.ok('thread references us-ascii all'), ['* THREAD (1 (2)(4))(3)'])
    assert.deepEqual(await client.ok('uid thread references us-ascii all'), ['* THREAD (1 (3)(5))(4)'])
    assert.deepEqual(await client.ok('thread references us-ascii seen'), ['* THREAD'])
    assert.match((await client.say('thread refs us-ascii all')).tagged, /^BAD/)
  })
})
