import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Answer } from '../testing/client.ts'
import { type GroundMailbox, type JmapGround, startJmap } from '../testing/ground.ts'

let ground: JmapGround
before(async () => {
  ground = await startJmap()
})
after(() => ground.close())

let people = 0
/** A mailbox of its own for each test. */
const someone = (): Promise<GroundMailbox> => ground.mailbox(`person-${++people}@example.test`)

const make = async ({ client, accountId }: GroundMailbox, objects: Record<string, unknown>): Promise<Answer> => {
  const answer = await client.one('Mailbox/set', { accountId, create: objects })
  assert.equal(answer.notCreated, null)
  return answer.created
}
const allOf = async ({ client, accountId }: GroundMailbox): Promise<Answer[]> =>
  (await client.one('Mailbox/get', { accountId, ids: null })).list
const namesOf = (list: Answer[]): string[] => list.map(({ name }) => name)

describe('Mailbox/get', () => {
  test('gives the folders of a new mailbox with their roles, rights and counts', async () => {
    const ann = await someone()
    await ground.add(ann)
    await ground.add(ann, { keywords: ['$seen'] })
    const list = await allOf(ann)
    assert.deepEqual(namesOf(list), ['Inbox', 'Drafts', 'Sent', 'Archive', 'Junk', 'Trash', 'Snoozed'])
    const inbox = list[0]
    assert.deepEqual(
      [inbox.role, inbox.totalEmails, inbox.unreadEmails, inbox.totalThreads, inbox.unreadThreads],
      ['inbox', 2, 1, 2, 1],
    )
    assert.deepEqual(
      [inbox.myRights.mayReadItems, inbox.myRights.mayRename, inbox.myRights.mayDelete, inbox.myRights.maySubmit],
      [true, false, false, true],
    )
  })

  test('gives only the wanted properties, and returns which ids name nothing', async () => {
    const ann = await someone()
    const ids = [ann.folders.sent, 'no-such-mailbox', ann.folders.sent, ann.folders.inbox.toUpperCase()]
    const answer = await ann.client.one('Mailbox/get', { accountId: ann.accountId, ids, properties: ['role'] })
    assert.deepEqual(answer.list, [{ id: ann.folders.sent, role: 'sent' }])
    assert.deepEqual(answer.notFound, ['no-such-mailbox', ann.folders.inbox.toUpperCase()])
  })
})

describe('Mailbox/set', () => {
  test('creates with defaults for what was not given', async () => {
    const ann = await someone()
    const { a } = await make(ann, { a: { name: 'Roof' } })
    assert.deepEqual(
      [a.parentId, a.role, a.sortOrder, a.isSubscribed, a.totalEmails, a.myRights.mayDelete],
      [null, null, 0, true, 0, true],
    )
    assert.equal(a.name, undefined)
  })

  test('creates children before their parents are named', async () => {
    const ann = await someone()
    const made = await make(ann, {
      c: { name: 'C', parentId: '#b' },
      b: { name: 'B', parentId: '#a' },
      a: { name: 'A' },
    })
    const byId = new Map((await allOf(ann)).map((each) => [each.id, each]))
    assert.equal(byId.get(made.c.id).parentId, made.b.id)
    assert.equal(byId.get(made.b.id).parentId, made.a.id)
  })

  const refused: [name: string, object: Record<string, unknown>, type: string, properties?: string[]][] = [
    ['no name', {}, 'invalidProperties', ['name']],
    ['a name that is no text', { name: 7 }, 'invalidProperties', ['name']],
    ['an empty name', { name: '' }, 'invalidProperties', ['name']],
    ['a slash in the name', { name: 'a/b' }, 'invalidProperties', ['name']],
    ['a parent that is not there', { name: 'x', parentId: 'none' }, 'invalidProperties', ['parentId']],
    ['a parent that is never created', { name: 'x', parentId: '#none' }, 'invalidProperties', ['parentId']],
    ['a property of the server', { name: 'x', totalEmails: 0 }, 'invalidProperties', ['totalEmails']],
    ['an unknown property', { name: 'x', colour: 'red' }, 'invalidProperties', ['colour']],
    ['a role that is taken', { name: 'x', role: 'sent' }, 'invalidProperties', ['role']],
    ['an unknown role', { name: 'x', role: 'attic' }, 'invalidProperties', ['role']],
    ['a sort order below zero', { name: 'x', sortOrder: -1 }, 'invalidProperties', ['sortOrder']],
    ['the name of another', { name: 'Sent' }, 'alreadyExists'],
    ['the name of the inbox in other letters', { name: 'iNBOX' }, 'alreadyExists'],
  ]
  for (const [name, object, type, properties] of refused)
    test(`refuses ${name}, and nothing is created`, async () => {
      const { ann } = ground
      const before = await ann.client.one('Mailbox/get', { accountId: ann.accountId, ids: null })
      const answer = await ann.client.one('Mailbox/set', { accountId: ann.accountId, create: { x: object } })
      assert.equal(answer.created, null)
      assert.equal(answer.notCreated.x.type, type)
      if (properties) assert.deepEqual(answer.notCreated.x.properties, properties)
      if (type === 'alreadyExists')
        assert.ok(before.list.some(({ id }: Answer) => id === answer.notCreated.x.existingId))
      assert.deepEqual(await ann.client.one('Mailbox/get', { accountId: ann.accountId, ids: null }), before)
    })

  test('renames, moves, orders and unsubscribes, and returns nothing more', async () => {
    const ann = await someone()
    const { a, b } = await make(ann, { a: { name: 'A' }, b: { name: 'B' } })
    const update = { [b.id]: { name: 'New', parentId: a.id, sortOrder: 5, isSubscribed: false } }
    const answer = await ann.client.one('Mailbox/set', { accountId: ann.accountId, update })
    assert.deepEqual(answer.updated, { [b.id]: null })
    const now = (await allOf(ann)).find(({ id }) => id === b.id)
    assert.deepEqual([now.name, now.parentId, now.sortOrder, now.isSubscribed], ['New', a.id, 5, false])
  })

  test('takes what the server sets as long as it is the same', async () => {
    const { ann } = ground
    const sent = (await allOf(ann)).find(({ role }) => role === 'sent')
    const same = await ann.client.one('Mailbox/set', { accountId: ann.accountId, update: { [sent.id]: sent } })
    assert.deepEqual(same.updated, { [sent.id]: null })
    const other = await ann.client.one('Mailbox/set', {
      accountId: ann.accountId,
      update: { [sent.id]: { totalEmails: 7, 'myRights/mayDelete': true } },
    })
    assert.deepEqual(other.notUpdated[sent.id].properties, ['totalEmails', 'myRights'])
  })

  test('refuses wrong updates, and nothing changes', async () => {
    const ann = await someone()
    const { a, b } = await make(ann, { a: { name: 'A' }, b: { name: 'B', parentId: '#a' } })
    const before = await allOf(ann)
    const attempts: [string, Record<string, unknown>, string][] = [
      [a.id, { parentId: b.id }, 'invalidProperties'],
      [a.id, { parentId: a.id }, 'invalidProperties'],
      [a.id, { name: 'Sent' }, 'alreadyExists'],
      [a.id, { name: null }, 'invalidProperties'],
      [a.id, { 'name/x': 1 }, 'invalidPatch'],
      [a.id, { myRights: {}, 'myRights/mayDelete': true }, 'invalidPatch'],
      [ann.folders.inbox, { name: 'Other' }, 'forbidden'],
      ['no-such', { name: 'Other' }, 'notFound'],
    ]
    for (const [id, patch, type] of attempts) {
      const answer = await ann.client.one('Mailbox/set', { accountId: ann.accountId, update: { [id]: patch } })
      assert.equal(answer.notUpdated?.[id]?.type, type, JSON.stringify(patch))
    }
    assert.deepEqual(await allOf(ann), before)
  })

  test('lets mailboxes take each other’s names and places', async () => {
    const ann = await someone()
    const { a, b, c } = await make(ann, { a: { name: 'A' }, b: { name: 'B' }, c: { name: 'C' } })
    const update = { [a.id]: { name: 'B' }, [b.id]: { name: 'C' }, [c.id]: { name: 'A' } }
    const answer = await ann.client.one('Mailbox/set', { accountId: ann.accountId, update })
    assert.equal(answer.notUpdated, null)
    const byId = new Map((await allOf(ann)).map(({ id, name }) => [id, name]))
    assert.deepEqual(
      [a, b, c].map(({ id }) => byId.get(id)),
      ['B', 'C', 'A'],
    )
  })

  test('a name that becomes free in the same call can be taken', async () => {
    const ann = await someone()
    const { a, b } = await make(ann, { a: { name: 'A' }, b: { name: 'B' } })
    const answer = await ann.client.one('Mailbox/set', {
      accountId: ann.accountId,
      create: { n: { name: 'A' } },
      update: { [b.id]: { name: 'C' } },
      destroy: [a.id],
    })
    assert.deepEqual([answer.notCreated, answer.notUpdated, answer.destroyed], [null, null, [a.id]])
    assert.deepEqual(
      namesOf(await allOf(ann))
        .filter((name) => name.length === 1)
        .sort(),
      ['A', 'C'],
    )
  })

  test('removes parents and children of one call in the right order', async () => {
    const ann = await someone()
    const { a, b } = await make(ann, { a: { name: 'A' }, b: { name: 'B', parentId: '#a' } })
    const answer = await ann.client.one('Mailbox/set', { accountId: ann.accountId, destroy: [a.id, b.id] })
    assert.deepEqual(new Set(answer.destroyed), new Set([a.id, b.id]))
    assert.equal((await allOf(ann)).length, 7)
  })

  test('does not remove what has children, roles, or messages', async () => {
    const ann = await someone()
    const { a, b } = await make(ann, { a: { name: 'A' }, b: { name: 'B', parentId: '#a' } })
    const added = await ground.add(ann, { folderIds: [a.id, b.id] })
    const destroy = async (ids: string[], more = {}) =>
      ann.client.one('Mailbox/set', { accountId: ann.accountId, destroy: ids, ...more })
    assert.equal((await destroy([a.id], { onDestroyRemoveEmails: true })).notDestroyed[a.id].type, 'mailboxHasChild')
    assert.equal((await destroy([b.id])).notDestroyed[b.id].type, 'mailboxHasEmail')
    assert.equal((await destroy([ann.folders.trash])).notDestroyed[ann.folders.trash].type, 'forbidden')
    assert.equal((await destroy(['nothing'])).notDestroyed.nothing.type, 'notFound')
    assert.equal((await allOf(ann)).find(({ id }) => id === b.id).totalEmails, 1)
    assert.deepEqual((await destroy([b.id], { onDestroyRemoveEmails: true })).destroyed, [b.id])
    const left = await ann.client.one('Email/get', {
      accountId: ann.accountId,
      ids: [added.messageId],
      properties: ['mailboxIds'],
    })
    assert.deepEqual(left.list[0].mailboxIds, { [a.id]: true })
    assert.deepEqual((await destroy([a.id], { onDestroyRemoveEmails: true })).destroyed, [a.id])
    const gone = await ann.client.one('Email/get', { accountId: ann.accountId, ids: [added.messageId] })
    assert.deepEqual(gone.notFound, [added.messageId])
  })

  test('an update of what is destroyed in the same call is not done', async () => {
    const ann = await someone()
    const { a } = await make(ann, { a: { name: 'A' } })
    const answer = await ann.client.one('Mailbox/set', {
      accountId: ann.accountId,
      update: { [a.id]: { name: 'B' } },
      destroy: [a.id],
    })
    assert.equal(answer.notUpdated[a.id].type, 'willDestroy')
    assert.deepEqual(answer.destroyed, [a.id])
  })

  test('the state is another one after a change, and the same after a refusal', async () => {
    const ann = await someone()
    const { accountId, client } = ann
    const good = await client.one('Mailbox/set', { accountId, create: { a: { name: 'A' } } })
    assert.notEqual(good.oldState, good.newState)
    const bad = await client.one('Mailbox/set', { accountId, ifInState: good.newState, create: { a: { name: 'A' } } })
    assert.equal(bad.oldState, bad.newState)
  })

  test('of a shared mailbox is for those who may manage it', async () => {
    const [ann, bob] = [await someone(), await someone()]
    const create = { a: { name: 'A' } }
    await ground.share(ann, bob, 'read')
    assert.equal(await bob.client.error('Mailbox/set', { accountId: ann.accountId, create }), 'accountReadOnly')
    const carl = await someone()
    await ground.share(ann, carl, 'write')
    const answer = await carl.client.one('Mailbox/set', { accountId: ann.accountId, create })
    assert.equal(answer.notCreated.a.type, 'forbidden')
    assert.equal((await allOf(ann)).length, 7)
    const dora = await someone()
    await ground.share(ann, dora, 'full')
    await make({ ...dora, accountId: ann.accountId }, create)
    assert.equal((await allOf(ann)).length, 8)
  })
})

describe('Mailbox/changes', () => {
  test('returns what was created, updated and destroyed since', async () => {
    const ann = await someone()
    const { accountId, client } = ann
    const { a, b } = await make(ann, { a: { name: 'A' }, b: { name: 'B' } })
    const { state } = await client.one('Mailbox/get', { accountId, ids: [] })
    const { c } = await make(ann, { c: { name: 'C' } })
    await client.one('Mailbox/set', { accountId, update: { [a.id]: { name: 'D' } }, destroy: [b.id] })
    const changes = await client.one('Mailbox/changes', { accountId, sinceState: state })
    assert.deepEqual([changes.created, changes.updated, changes.destroyed], [[c.id], [a.id], [b.id]])
    assert.deepEqual([changes.oldState, changes.hasMoreChanges, changes.updatedProperties], [state, false, null])
    const none = await client.one('Mailbox/changes', { accountId, sinceState: changes.newState })
    assert.deepEqual([none.created, none.updated, none.destroyed, none.newState], [[], [], [], changes.newState])
  })

  test('returns whether only counts changed, and goes page by page', async () => {
    const ann = await someone()
    const { accountId, client } = ann
    const { state } = await client.one('Mailbox/get', { accountId, ids: [] })
    await ground.add(ann, { folderIds: [ann.folders.inbox, ann.folders.sent, ann.folders.junk] })
    const counts = await client.one('Mailbox/changes', { accountId, sinceState: state })
    assert.deepEqual(counts.updatedProperties, ['totalEmails', 'unreadEmails', 'totalThreads', 'unreadThreads'])
    const seen: string[] = []
    let sinceState = state
    for (let more = true; more; ) {
      const page = await client.one('Mailbox/changes', { accountId, sinceState, maxChanges: 1 })
      assert.ok(page.updated.length <= 1)
      seen.push(...page.updated)
      sinceState = page.newState
      more = page.hasMoreChanges
    }
    assert.deepEqual(new Set(seen), new Set(counts.updated))
    assert.equal(sinceState, counts.newState)
  })
})

describe('Thread', () => {
  test('gives the messages of threads, oldest first, and what changed', async () => {
    const ann = await someone()
    const { accountId, client } = ann
    const { state } = await client.one('Thread/get', { accountId, ids: [] })
    const first = await ground.add(ann, { id: 'a@x', subject: 'Roof', receivedAt: new Date('2026-01-01T00:00:00Z') })
    const second = await ground.add(ann, {
      references: ['a@x'],
      subject: 'Re: Roof',
      receivedAt: new Date('2025-12-01T00:00:00Z'),
    })
    assert.equal(first.threadId, second.threadId)
    const answer = await client.one('Thread/get', { accountId, ids: [first.threadId, 'nothing'] })
    assert.deepEqual(answer.list, [{ id: first.threadId, emailIds: [second.messageId, first.messageId] }])
    assert.deepEqual(answer.notFound, ['nothing'])
    const changes = await client.one('Thread/changes', { accountId, sinceState: state })
    assert.deepEqual(changes.created, [first.threadId])
    assert.equal(await client.error('Thread/get', { accountId, ids: null }), 'requestTooLarge')
  })
})
