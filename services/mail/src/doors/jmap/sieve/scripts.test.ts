import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type GroundMailbox, type JmapGround, startJmap } from '../testing/ground.ts'

let ground: JmapGround
before(async () => {
  ground = await startJmap()
})
after(() => ground.close())

let people = 0
const person = async () => {
  people += 1
  const mailbox = await ground.mailbox(`p${people}@example.test`)
  const args = (more: object) => ({ accountId: mailbox.accountId, ...more })
  return {
    mailbox,
    get: (more: object = {}) => mailbox.client.one('SieveScript/get', args({ ids: null, ...more })),
    set: (more: object) => mailbox.client.one('SieveScript/set', args(more)),
    query: (more: object) => mailbox.client.one('SieveScript/query', args(more)),
    validate: async (source: string) =>
      (await mailbox.client.one('SieveScript/validate', args({ blobId: await blobOf(mailbox, source) }))).error,
    blob: (source: string) => blobOf(mailbox, source),
  }
}
const blobOf = async (mailbox: GroundMailbox, source: string): Promise<string> =>
  (await mailbox.client.upload(mailbox.accountId, source, 'application/sieve')).blobId

const textOf = async ({ client, accountId }: GroundMailbox, blobId: string) =>
  (await client.fetch(`/jmap/download/${accountId}/${blobId}/script.sieve`)).text()

describe('SieveScript/set', () => {
  test('makes scripts of blobs, and their text is read back by another blob', async () => {
    const { mailbox, get, set, blob } = await person()
    const source = 'require "fileinto";\r\nfileinto "Work";\r\n'
    const answer = await set({
      create: { a: { name: 'main', blobId: await blob(source) }, b: { blobId: await blob('keep;') } },
    })
    assert.equal(answer.notCreated, null)
    const { list } = await get()
    const main = list.find(({ name }: { name: string }) => name === 'main')
    assert.deepEqual(main, { id: answer.created.a.id, name: 'main', blobId: answer.created.a.blobId, isActive: false })
    assert.equal(typeof answer.created.b.name, 'string')
    assert.equal(await textOf(mailbox, main.blobId), source)
    const changed = await set({ update: { [main.id]: { blobId: await blob('discard;') } } })
    const after = changed.updated[main.id].blobId
    assert.notEqual(after, main.blobId)
    assert.equal(await textOf(mailbox, after), 'discard;')
    assert.equal((await mailbox.client.fetch(`/jmap/download/${mailbox.accountId}/${main.blobId}/x`)).status, 404)
    assert.equal((await ground.ann.client.fetch(`/jmap/download/${ground.ann.accountId}/${after}/x`)).status, 404)
  })

  test('activates and deactivates when all has gone well, and returns what has changed', async () => {
    const { get, set, blob } = await person()
    const blobId = await blob('keep;')
    const first = await set({
      create: { a: { name: 'a', blobId }, b: { name: 'b', blobId } },
      onSuccessActivateScript: '#a',
    })
    const { a, b } = first.created
    assert.equal(a.isActive, true)
    const second = await set({ onSuccessActivateScript: b.id })
    assert.deepEqual(second.updated, { [a.id]: { isActive: false }, [b.id]: { isActive: true } })
    const failed = await set({ create: { c: { name: 'b', blobId } }, onSuccessActivateScript: a.id })
    assert.deepEqual([failed.notCreated.c.type, failed.notCreated.c.existingId], ['alreadyExists', b.id])
    assert.equal((await set({ destroy: [b.id] })).notDestroyed[b.id].type, 'sieveIsActive')
    const active = (await get()).list.filter(({ isActive }: { isActive: boolean }) => isActive)
    assert.deepEqual(
      active.map(({ id }: { id: string }) => id),
      [b.id],
    )
    assert.equal((await set({ onSuccessActivateScript: 'nobody' })).updated, null)
    assert.deepEqual((await set({ onSuccessDeactivateScript: true })).updated, { [b.id]: { isActive: false } })
    assert.deepEqual((await set({ destroy: [a.id, b.id] })).destroyed, [a.id, b.id])
    assert.deepEqual((await get()).list, [])
  })

  test('refuses bad scripts, names, blobs and properties, and changes nothing then', async () => {
    const { get, set, blob } = await person()
    const good = await blob('keep;')
    const { created } = await set({ create: { a: { name: 'a', blobId: good } } })
    const before = (await get()).list
    const wrong = await set({
      create: {
        bad: { name: 'bad', blobId: await blob('keep;\r\nnonsense;') },
        utf: { name: 'utf', blobId: await blob('\0keep;') },
        large: { name: 'large', blobId: await blob(`#${'x'.repeat(65_536)}`) },
        blob: { name: 'blob', blobId: 'u01940000-0000-7000-8000-000000000000' },
        name: { name: '', blobId: good },
        none: { name: 'none' },
        active: { name: 'active', blobId: good, isActive: true },
      },
      update: { [created.a.id]: { isActive: true }, nobody: { name: 'x' } },
    })
    const types = Object.entries(wrong.notCreated).map(([id, error]) => [id, (error as { type: string }).type])
    assert.deepEqual(types, [
      ['bad', 'invalidSieve'],
      ['utf', 'invalidSieve'],
      ['large', 'tooLarge'],
      ['blob', 'blobNotFound'],
      ['name', 'invalidProperties'],
      ['none', 'invalidProperties'],
      ['active', 'invalidProperties'],
    ])
    assert.match(wrong.notCreated.bad.description, /^line 2, column 1: /)
    assert.equal(wrong.notUpdated[created.a.id].type, 'invalidProperties')
    assert.equal(wrong.notUpdated.nobody.type, 'notFound')
    assert.deepEqual((await get()).list, before)
  })

  test('is limited in number', async () => {
    const { set, blob } = await person()
    const blobId = await blob('keep;')
    const create = Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`c${n}`, { name: `s${n}`, blobId }]))
    const answer = await set({ create })
    assert.equal(Object.keys(answer.created).length, 32)
    assert.equal(answer.notCreated.c32.type, 'overQuota')
  })
})

describe('SieveScript', () => {
  test('is found by name and by whether it is active, in an order', async () => {
    const { set, query, blob } = await person()
    const blobId = await blob('keep;')
    const names = ['Work', 'Home', 'Workshop']
    const create = Object.fromEntries(names.map((name) => [name, { name, blobId }]))
    const { created } = await set({ create, onSuccessActivateScript: '#Workshop' })
    const found = await query({
      filter: { name: 'work' },
      sort: [{ property: 'name', isAscending: false }],
      calculateTotal: true,
    })
    assert.deepEqual([found.ids, found.total], [[created.Workshop.id, created.Work.id], 2])
    assert.deepEqual((await query({ filter: { isActive: true } })).ids, [created.Workshop.id])
    assert.equal(found.canCalculateChanges, false)
  })

  test('is validated without being stored', async () => {
    const { get, validate } = await person()
    assert.equal(await validate('keep;'), null)
    const error = await validate('fileinto "x";')
    assert.equal(error.type, 'invalidSieve')
    assert.match(error.description, /^line 1, column 1: unknown command "fileinto"/)
    assert.deepEqual((await get()).list, [])
  })
})
