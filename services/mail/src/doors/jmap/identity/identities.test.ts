import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type GroundMailbox, type JmapGround, startJmap } from '../testing/ground.ts'

let ground: JmapGround
let ann: GroundMailbox
before(async () => {
  ground = await startJmap()
  ann = ground.ann
  await ground.parts.database.pool.query(
    `insert into address_name (domain_id, local_part, address_id, kind)
     select domain_id, n, id, k from address, (values ('sales', 'alias'), ('info-*', 'pattern')) v (n, k)
     where email = 'ann@example.test'`,
  )
})
after(() => ground.close())

const get = (mailbox: GroundMailbox, args: object = {}) =>
  mailbox.client.one('Identity/get', { accountId: mailbox.accountId, ids: null, ...args })
const set = (mailbox: GroundMailbox, args: object) =>
  mailbox.client.one('Identity/set', { accountId: mailbox.accountId, ...args })

describe('Identity/get', () => {
  test('gives a mailbox its own identity when it is first asked, and makes it once', async () => {
    const carl = await ground.mailbox('carl@example.test')
    const [{ list }, again] = await Promise.all([get(carl), get(carl)])
    assert.deepEqual(list, again.list)
    assert.deepEqual(list, [
      {
        id: list[0].id,
        name: '',
        email: 'carl@example.test',
        replyTo: null,
        bcc: null,
        textSignature: '',
        htmlSignature: '',
        mayDelete: false,
      },
    ])
    const { state } = await get(carl, { ids: [] })
    const changes = await carl.client.one('Identity/changes', { accountId: carl.accountId, sinceState: state })
    assert.deepEqual([changes.created, changes.updated, changes.destroyed], [[], [], []])
  })

  test('gives what is asked for and names what is not there', async () => {
    const { list } = await get(ann, { properties: ['email'] })
    const { id } = list[0]
    assert.deepEqual(list, [{ id, email: 'ann@example.test' }])
    const other = (await get(ground.bob)).list[0].id
    const { list: found, notFound } = await get(ann, { ids: ['nonexistent', other, id] })
    assert.deepEqual([found.length, notFound], [1, ['nonexistent', other]])
    assert.equal(
      await ann.client.error('Identity/get', { accountId: ann.accountId, properties: ['no'] }),
      'invalidArguments',
    )
  })

  test('is not for those with whom a mailbox is shared', async () => {
    const dora = await ground.mailbox('dora@example.test')
    await ground.share(ann, dora, 'full')
    assert.equal(await dora.client.error('Identity/get', { accountId: ann.accountId }), 'accountNotSupportedByMethod')
  })
})

describe('Identity/set', () => {
  test('makes identities of addresses that the mailbox may write as', async () => {
    const emails = ['sales@example.test', 'info-de@example.test', 'Ann+list@Example.test']
    const create = Object.fromEntries(emails.map((email, at) => [`c${at}`, { email, name: `Name ${at}` }]))
    const before = await get(ann, { ids: [] })
    const answer = await set(ann, { create })
    assert.equal(answer.notCreated, null)
    assert.equal(answer.created.c0.mayDelete, true)
    assert.equal(answer.oldState, before.state)
    const { list } = await get(ann, { properties: ['email', 'name'] })
    assert.deepEqual(
      list.slice(1).map(({ email, name }: { email: string; name: string }) => [email, name]),
      [
        ['sales@example.test', 'Name 0'],
        ['info-de@example.test', 'Name 1'],
        ['Ann+list@Example.test', 'Name 2'],
      ],
    )
    const changes = await ann.client.one('Identity/changes', { accountId: ann.accountId, sinceState: before.state })
    assert.equal(changes.created.length, 3)
    assert.equal(changes.newState, answer.newState)
  })

  test('refuses the addresses of others, and what is no address', async () => {
    const before = (await get(ann)).list.length
    const { notCreated } = await set(ann, {
      create: {
        bob: { email: 'bob@example.test' },
        outside: { email: 'ann@elsewhere.org' },
        none: { email: 'ann' },
        missing: { name: 'x' },
        list: { email: 'ann@example.test', replyTo: [{ email: 'a@b.test\r\nBcc: c@d.test' }] },
        line: { email: 'ann@example.test', name: 'two\nlines' },
        server: { email: 'ann@example.test', mayDelete: true },
      },
    })
    const types = Object.entries(notCreated).map(([id, error]) => [id, (error as { type: string }).type])
    assert.deepEqual(types, [
      ['bob', 'forbiddenFrom'],
      ['outside', 'forbiddenFrom'],
      ['none', 'invalidProperties'],
      ['missing', 'invalidProperties'],
      ['list', 'invalidProperties'],
      ['line', 'invalidProperties'],
      ['server', 'invalidProperties'],
    ])
    assert.deepEqual(notCreated.none.properties, ['email'])
    assert.equal((await get(ann)).list.length, before)
  })

  test('changes what is given, by patches too, and never the address', async () => {
    const [{ id }] = (await get(ann)).list
    const full = {
      name: 'Ann',
      replyTo: [{ name: 'Reply', email: 'reply@example.com' }],
      bcc: [{ name: null, email: 'archive@example.com' }],
      textSignature: '-- \nAnn',
      htmlSignature: '<p>Ann</p>',
    }
    assert.deepEqual((await set(ann, { update: { [id]: { ...full, email: 'ann@example.test' } } })).updated, {
      [id]: null,
    })
    const email = 'ann@example.test'
    assert.deepEqual((await get(ann, { ids: [id] })).list, [{ id, email, ...full, mayDelete: false }])
    const patched = { 'replyTo/0': { email: 'x@y.test' }, textSignature: null, bcc: null }
    assert.equal((await set(ann, { update: { [id]: patched } })).notUpdated[id].type, 'invalidPatch')
    await set(ann, { update: { [id]: { textSignature: null, bcc: null } } })
    const { list } = await get(ann, { ids: [id] })
    assert.deepEqual([list[0].textSignature, list[0].bcc, list[0].name], ['', null, 'Ann'])
    const { notUpdated } = await set(ann, {
      update: { [id]: { email: 'sales@example.test' }, nobody: { name: 'x' } },
    })
    assert.deepEqual([notUpdated[id].type, notUpdated[id].properties], ['invalidProperties', ['email']])
    assert.equal(notUpdated.nobody.type, 'notFound')
    assert.equal((await get(ann, { ids: [id] })).list[0].email, email)
  })

  test('deletes all but the own one', async () => {
    const { list } = await get(ann)
    const ids = list.map(({ id }: { id: string }) => id)
    const answer = await set(ann, { destroy: ids })
    assert.deepEqual(answer.destroyed, ids.slice(1))
    assert.equal(answer.notDestroyed[ids[0]].type, 'forbidden')
    assert.equal((await get(ann)).list.length, 1)
  })
})
