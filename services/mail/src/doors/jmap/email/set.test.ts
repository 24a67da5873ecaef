import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createAppPassword } from '../../../hosting/addresses/app-passwords.ts'
import type { Answer } from '../testing/client.ts'
import { type GroundMailbox, type JmapGround, startJmap } from '../testing/ground.ts'

let ground: JmapGround
let box: GroundMailbox
before(async () => {
  ground = await startJmap()
  box = ground.ann
})
after(() => ground.close())

const set = (args: Record<string, unknown>): Promise<Answer> =>
  box.client.one('Email/set', { accountId: box.accountId, ...args })

const show = async (id: string, properties: string[]): Promise<Answer> =>
  (await box.client.one('Email/get', { accountId: box.accountId, ids: [id], properties })).list[0]

/** By a name that is not looked up by the type check: its types are sources with rules of their own. */
const JAM: string = 'jmap-jam'

const draft = (more: Record<string, unknown> = {}) => ({
  mailboxIds: { [box.folders.drafts]: true },
  from: [{ name: 'Ann', email: 'ann@example.test' }],
  subject: 'A draft',
  bodyStructure: { type: 'text/plain', partId: '1' },
  bodyValues: { 1: { value: 'The text' } },
  ...more,
})

describe('Email/set creates', () => {
  test('a message, and returns what the client cannot know', async () => {
    const answer = await set({ create: { a: draft({ keywords: { $draft: true, $Seen: true } }) } })
    const { id, blobId, threadId, size } = answer.created.a
    assert.notEqual(answer.oldState, answer.newState)
    assert.equal(answer.notCreated, null)
    const email = await show(id, ['blobId', 'threadId', 'size', 'keywords', 'subject', 'from', 'preview', 'messageId'])
    assert.deepEqual([email.blobId, email.threadId, email.size], [blobId, threadId, size])
    assert.deepEqual(email.keywords, { $draft: true, $seen: true })
    assert.deepEqual(email.from, [{ name: 'Ann', email: 'ann@example.test' }])
    assert.equal(email.preview, 'The text')
    assert.match(email.messageId[0], /@example\.test$/)
    const download = await box.client.fetch(`/jmap/download/${box.accountId}/${blobId}/x?type=message/rfc822`)
    assert.equal((await download.arrayBuffer()).byteLength, size)
  })

  test('a message with uploads and parts of other messages', async () => {
    const upload = await box.client.upload(box.accountId, new Uint8Array([0, 1, 2, 255]), 'image/png')
    const other = await ground.add(box, { text: 'The other one' })
    const { created } = await set({
      create: {
        a: draft({
          bodyStructure: undefined,
          textBody: [{ partId: '1', type: 'text/plain' }],
          attachments: [
            { blobId: upload.blobId, type: 'image/png', name: 'Bild ä.png', disposition: 'attachment' },
            { blobId: `m${other.messageId}`, type: 'message/rfc822' },
            { blobId: `p${other.messageId}-1`, type: 'text/plain', charset: 'utf-8', name: 'x.txt' },
          ],
        }),
      },
    })
    const email = await show(created.a.id, ['attachments', 'hasAttachment'])
    assert.equal(email.hasAttachment, true)
    assert.deepEqual(
      email.attachments.map((part: Answer) => [part.type, part.name, part.disposition]),
      [
        ['image/png', 'Bild ä.png', 'attachment'],
        ['message/rfc822', null, 'attachment'],
        ['text/plain', 'x.txt', 'attachment'],
      ],
    )
    const path = `/jmap/download/${box.accountId}/${email.attachments[0].blobId}/x?type=image/png`
    assert.deepEqual([...new Uint8Array(await (await box.client.fetch(path)).arrayBuffer())], [0, 1, 2, 255])
  })

  test('nothing that is wrong, each with its own error', async () => {
    const before = await box.client.one('Email/query', { accountId: box.accountId, calculateTotal: true })
    const strange = await ground.mailbox('strange@elsewhere.test', { isStranger: true })
    const foreign = await strange.client.upload(strange.accountId, 'x')
    const attached = (blobId: string) =>
      draft({ bodyStructure: undefined, attachments: [{ blobId, type: 'text/plain' }] })
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`k${index}`, true]))
    const { created, notCreated } = await set({
      create: {
        blob: attached('nothing'),
        foreign: attached(foreign.blobId),
        mailbox: draft({ mailboxIds: { nothing: true } }),
        gone: draft({ mailboxIds: { '0192f0c1-2222-7aaa-8bbb-0123456789ab': true } }),
        foreignMailbox: draft({ mailboxIds: { [strange.folders.inbox]: true } }),
        keywords: draft({ keywords: many }),
        reference: draft({ mailboxIds: { '#nothing': true } }),
      },
    })
    assert.equal(created, null)
    assert.deepEqual(notCreated.blob, { ...notCreated.blob, type: 'blobNotFound', notFound: ['nothing'] })
    assert.deepEqual(notCreated.foreign.notFound, [foreign.blobId])
    assert.equal(notCreated.keywords.type, 'tooManyKeywords')
    for (const name of ['mailbox', 'gone', 'foreignMailbox', 'reference'])
      assert.deepEqual([notCreated[name].type, notCreated[name].properties], ['invalidProperties', ['mailboxIds']])
    const now = await box.client.one('Email/query', { accountId: box.accountId, calculateTotal: true })
    assert.deepEqual([now.total, now.queryState], [before.total, before.queryState])
  })

  test('messages in a mailbox of the same request, and changes them by their creation ids', async () => {
    const [mailbox, email, changed] = await box.client.call(
      ['Mailbox/set', { accountId: box.accountId, create: { m: { name: 'New one' } } }],
      ['Email/set', { accountId: box.accountId, create: { e: draft({ mailboxIds: { '#m': true } }) } }],
      ['Email/set', { accountId: box.accountId, update: { '#e': { 'keywords/$flagged': true } } }],
    )
    const mailboxId = mailbox?.[1].created.m.id
    const id: string = email?.[1].created.e.id
    assert.deepEqual(changed?.[1].updated, { [id]: null })
    const shown = await show(id, ['mailboxIds', 'keywords'])
    assert.deepEqual(shown, { id, mailboxIds: { [mailboxId]: true }, keywords: { $flagged: true } })
  })

  test('no message that is too large, or that the mailbox has no room for', async () => {
    const small = await startJmap({ env: { MAX_MESSAGE_BYTES: '1000000' } })
    try {
      const { accountId, client, folders } = small.ann
      const create = {
        a: { ...draft(), mailboxIds: { [folders.drafts]: true }, bodyValues: { 1: { value: 'x'.repeat(1_500_000) } } },
      }
      const answer = await client.one('Email/set', { accountId, create })
      assert.equal(answer.notCreated.a.type, 'tooLarge')
      await small.parts.database.pool.query('update address set quota_bytes = 100 where id = $1', [accountId])
      const full = await client.one('Email/set', {
        accountId,
        create: { a: { ...draft(), mailboxIds: { [folders.drafts]: true } } },
      })
      assert.equal(full.notCreated.a.type, 'overQuota')
      const misfiled = await client.one('Email/set', { accountId, create: { a: draft() } })
      assert.deepEqual(misfiled.notCreated.a.properties, ['mailboxIds'])
      assert.equal((await client.one('Email/query', { accountId })).ids.length, 0)
      const kept = await readdir(join(small.config.dataDir, 'mail'), { recursive: true, withFileTypes: true })
      assert.deepEqual(
        kept.filter((each) => each.isFile()).map(({ name }) => name),
        [],
        'nothing was written for what was refused',
      )
    } finally {
      await small.close()
    }
  })
})

describe('Email/set updates', () => {
  test('keywords and mailboxes by patches and as a whole', async () => {
    const { inbox, archive, trash } = box.folders
    const { messageId: id } = await ground.add(box, { keywords: ['old', '$seen'] })
    const change = async (patch: Record<string, unknown>) => {
      assert.deepEqual((await set({ update: { [id]: patch } })).updated, { [id]: null })
      const { keywords, mailboxIds } = await show(id, ['keywords', 'mailboxIds'])
      return [Object.keys(keywords).sort(), Object.keys(mailboxIds).sort()]
    }
    assert.deepEqual(await change({ 'keywords/$Flagged': true, 'keywords/old': null }), [
      ['$flagged', '$seen'],
      [inbox],
    ])
    assert.deepEqual(await change({ 'keywords/a~1b': true }), [['$flagged', '$seen', 'a/b'], [inbox]])
    assert.deepEqual(await change({ keywords: { new: true } }), [['new'], [inbox]])
    assert.deepEqual(await change({ [`mailboxIds/${archive}`]: true }), [['new'], [inbox, archive].sort()])
    assert.deepEqual(
      await change({ [`mailboxIds/${inbox}`]: null, [`mailboxIds/${trash}`]: true, 'keywords/x': true }),
      [['new', 'x'], [archive, trash].sort()],
    )
    assert.deepEqual(await change({ mailboxIds: { [inbox]: true } }), [['new', 'x'], [inbox]])
    assert.deepEqual(await change({}), [['new', 'x'], [inbox]])
  })

  test('nothing that is wrong, and leaves the others in peace', async () => {
    const { inbox } = box.folders
    const ids: string[] = []
    for (let index = 0; index < 12; index += 1) ids.push((await ground.add(box)).messageId)
    const patches: [Record<string, unknown>, string][] = [
      [{ 'keywords/a b': true }, 'invalidProperties'],
      [{ 'keywords/x': false }, 'invalidProperties'],
      [{ keywords: { x: 1 } }, 'invalidProperties'],
      [{ keywords: {}, 'keywords/x': true }, 'invalidPatch'],
      [{ 'keywords/x/y': true }, 'invalidPatch'],
      [{ 'from/0': null }, 'invalidPatch'],
      [{ mailboxIds: {} }, 'invalidProperties'],
      [{ [`mailboxIds/${inbox}`]: null }, 'invalidProperties'],
      [{ 'mailboxIds/nothing': true }, 'invalidProperties'],
      [{ subject: 'Another one' }, 'invalidProperties'],
      [{ nothing: 1 }, 'invalidProperties'],
    ]
    const update = Object.fromEntries(patches.map(([patch], index) => [ids[index] ?? '', patch]))
    const answer = await set({
      update: { ...update, [ids[11] ?? '']: { 'keywords/good': true }, nobody: { keywords: {} } },
    })
    assert.deepEqual(answer.updated, { [ids[11] ?? '']: null })
    assert.equal(answer.notUpdated.nobody.type, 'notFound')
    for (const [index, [patch, type]] of patches.entries()) {
      assert.equal(answer.notUpdated[ids[index] ?? ''].type, type, JSON.stringify(patch))
      const { keywords, mailboxIds } = await show(ids[index] ?? '', ['keywords', 'mailboxIds'])
      assert.deepEqual([keywords, mailboxIds], [{}, { [inbox]: true }])
    }
  })

  test('a message by the whole object that it has', async () => {
    const { messageId: id } = await ground.add(box)
    const email = (await box.client.one('Email/get', { accountId: box.accountId, ids: [id] })).list[0]
    const answer = await set({ update: { [id]: { ...email, keywords: { done: true } } } })
    assert.deepEqual([answer.updated, answer.notUpdated], [{ [id]: null }, null])
    assert.deepEqual((await show(id, ['keywords'])).keywords, { done: true })
    const other = await set({ update: { [id]: { ...email, receivedAt: '2020-01-01T00:00:00Z' } } })
    assert.equal(other.notUpdated[id].type, 'invalidProperties')
  })

  test('many messages in one transaction, with one modseq', async () => {
    const crowd = await ground.mailbox('crowd@example.test')
    const ids: string[] = []
    for (let index = 0; index < 100; index += 1) ids.push((await ground.add(crowd, { text: 'x' })).messageId)
    const { accountId, client, folders } = crowd
    const update = Object.fromEntries(
      ids.map((id, index) => [
        id,
        index % 2 === 0
          ? { 'keywords/$seen': true }
          : { 'keywords/$seen': true, mailboxIds: { [folders.archive]: true } },
      ]),
    )
    const watch = ground.parts.database.watchStatements()
    const answer = await client.one('Email/set', { accountId, update })
    watch.stop()
    assert.equal(Object.keys(answer.updated).length, 100)
    assert.equal(Number(answer.newState), Number(answer.oldState) + 1)
    assert.ok(watch.texts.length < 40, `${watch.texts.length} statements`)
    const unread = await client.one('Email/query', { accountId, filter: { notKeyword: '$seen' } })
    const moved = await client.one('Email/query', { accountId, filter: { inMailbox: folders.archive } })
    assert.deepEqual([unread.ids.length, moved.ids.length], [0, 50])
  })
})

describe('Email/set', () => {
  test('destroys messages everywhere, and returns which were not there', async () => {
    const { messageId: id } = await ground.add(box, { folderIds: [box.folders.inbox, box.folders.archive] })
    const answer = await set({ destroy: [id, 'nothing'], update: { [id]: { 'keywords/x': true } } })
    assert.deepEqual(answer.destroyed, [id])
    assert.deepEqual(answer.notDestroyed, { nothing: { type: 'notFound' } })
    assert.deepEqual(answer.notUpdated, { [id]: { type: 'willDestroy' } })
    const { notFound } = await box.client.one('Email/get', { accountId: box.accountId, ids: [id] })
    assert.deepEqual(notFound, [id])
  })

  test('does nothing in another state', async () => {
    const { messageId: id } = await ground.add(box)
    const { state } = await box.client.one('Email/get', { accountId: box.accountId, ids: [] })
    const args = { accountId: box.accountId, destroy: [id] }
    assert.equal(
      await box.client.error('Email/set', { ...args, ifInState: String(Number(state) - 1) }),
      'stateMismatch',
    )
    assert.equal((await set({ update: { [id]: { 'keywords/x': true } }, ifInState: state })).notUpdated, null)
    assert.equal(await box.client.error('Email/set', { ...args, ifInState: state }), 'stateMismatch')
    assert.ok(await show(id, ['id']))
  })

  test('lets who may only read mark what they have read, and nothing else', async () => {
    const shared = await ground.mailbox('shared@example.test')
    await ground.share(shared, ground.bob, 'read')
    const { messageId: id } = await ground.add(shared)
    const { client } = ground.bob
    const { accountId } = shared
    const answer = await client.one('Email/set', { accountId, update: { [id]: { 'keywords/$seen': true } } })
    assert.deepEqual(answer.updated, { [id]: null })
    const keywords = async (who: GroundMailbox) =>
      (await who.client.one('Email/get', { accountId, ids: [id], properties: ['keywords'] })).list[0].keywords
    assert.deepEqual([await keywords(ground.bob), await keywords(shared)], [{ $seen: true }, {}])
    for (const args of [
      { update: { [id]: { 'keywords/$flagged': true } } },
      { update: { [id]: { mailboxIds: { [shared.folders.trash]: true } } } },
      { destroy: [id] },
      { create: { a: draft() } },
    ])
      assert.equal(await client.error('Email/set', { accountId, ...args }), 'accountReadOnly')
    const counts = await shared.client.one('Email/query', { accountId, filter: { inMailbox: shared.folders.inbox } })
    assert.deepEqual(counts.ids, [id])
  })

  test('works with a client that others wrote', async () => {
    const { id: addressId, accountId: customer } = box.address
    const { token } = await ground.parts.database.tx((tx) =>
      createAppPassword(tx, { accountId: customer, addressId, name: 'jam', now: new Date() }),
    )
    const { JamClient } = await import(JAM)
    const jam = new JamClient({ sessionUrl: `${ground.url}/.well-known/jmap`, bearerToken: token.reveal() })
    const [created] = await jam.api.Email.set({
      accountId: box.accountId,
      create: {
        one: {
          mailboxIds: { [box.folders.drafts]: true },
          subject: 'By jam',
          from: [{ name: 'Ann', email: 'ann@example.test' }],
        },
      },
    })
    const id = created.created?.one?.id
    assert.ok(id)
    const [found] = await jam.api.Email.query({ accountId: box.accountId, filter: { subject: 'jam' } })
    assert.deepEqual(found.ids, [id])
    const [shown] = await jam.api.Email.get({ accountId: box.accountId, ids: [id], properties: ['subject'] })
    assert.equal(shown.list[0]?.subject, 'By jam')
  })
})
