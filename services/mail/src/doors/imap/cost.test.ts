import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Database } from '@stoa/kit/db/database.ts'
import { createFolder, listFolders } from '../../store/folders/folders.ts'
import { openMailbox } from '../../store/mailbox/mailbox.ts'
import type { Tables } from '../../tables.ts'
import { createRecents } from './recents.ts'
import { type ImapGround, startImapGround } from './testing/ground.ts'
import { createWriteMailbox } from './writes.ts'

let ground: ImapGround
before(async () => {
  ground = await startImapGround()
})
after(() => ground.close())

const selected = async () => {
  const address = await ground.address()
  for (let n = 0; n < 3; n += 1) await ground.add(address)
  const client = await ground.signIn(address)
  await client.ok('select inbox')
  return { address, client }
}

describe('what a command costs', () => {
  const COSTS: readonly [command: string, statements: number, roundTrips: number][] = [
    ['noop', 0, 0],
    ['fetch 1:* (flags)', 1, 1],
    ['fetch * (uid flags envelope internaldate rfc822.size)', 1, 1],
    ['fetch * body.peek[]', 1, 1],
    ['uid search unseen', 1, 1],
    ['uid search body hello', 1, 1],
    // the folders; what changed in it; the first that was not read
    ['select inbox', 3, 3],
    // the folders; how much it may hold; begin with the mailbox and the message; what is published with the commit; what changed
    ['append inbox {14+}\r\nSubject: x\r\n\r\n', 8, 5],
    ['status inbox (messages unseen)', 2, 2],
    // begin with the mailbox and the rows; the change; what is published with the commit
    ['store * +flags (\\Flagged)', 6, 3],
  ]
  for (const [command, statements, roundTrips] of COSTS)
    test(command, async () => {
      const { client } = await selected()
      const watch = ground.database.watchStatements()
      await client.ok(command)
      watch.stop()
      assert.deepEqual([watch.texts.length, watch.roundTrips], [statements, roundTrips], watch.texts.join('\n'))
    })
})

describe('writes to a mailbox', () => {
  test('of one mailbox follow each other, and others do not wait for them', async () => {
    const address = await ground.address()
    const write = createWriteMailbox(ground.database)
    const order: string[] = []
    const gate = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const first = write(address.id, async () => {
      order.push('first begins')
      begun.resolve()
      await gate.promise
      order.push('first ends')
    })
    const second = write(address.id, async () => void order.push('second'))
    await begun.promise
    await write((await ground.address()).id, async () => void order.push('other'))
    gate.resolve()
    await Promise.all([first, second])
    assert.deepEqual(order, ['first begins', 'other', 'first ends', 'second'])
  })

  test('that wait for each other share a commit, and each has a modseq of its own', async () => {
    const address = await ground.address()
    let commits = 0
    const tx: Database<Tables>['tx'] = (run) => {
      commits += 1
      return ground.database.tx(run)
    }
    const write = createWriteMailbox({ ...ground.database, tx })
    const modseqs = await Promise.all(
      Array.from({ length: 11 }, () => write(address.id, async (tx) => (await openMailbox(tx, address.id)).modseq)),
    )
    assert.deepEqual(
      modseqs,
      Array.from({ length: 11 }, (_, n) => (modseqs[0] ?? 0) + n),
    )
    assert.equal(commits, 2)
  })

  test('one that fails takes back only what it did itself', async () => {
    const address = await ground.address()
    const write = createWriteMailbox(ground.database)
    const create = (name: string, fails = false) =>
      write(address.id, async (tx) => {
        await createFolder(tx, { addressId: address.id, name })
        if (fails) throw new Error(`not ${name}`)
      })
    const results = await Promise.allSettled([create('One'), create('Two'), create('Three', true), create('Four')])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    )
    const names = (await listFolders(ground.database.db, address.id)).map(({ name }) => name)
    assert.deepEqual(
      ['One', 'Two', 'Three', 'Four'].map((name) => names.includes(name)),
      [true, true, false, true],
    )
    await ground.check(address)
  })

  test('whose commit fails get an error, and are not retried', async () => {
    const address = await ground.address()
    let runs = 0
    const tx: Database<Tables>['tx'] = async (run) => {
      const result = await ground.database.tx(run)
      if (runs > 1) throw new Error('the connection was lost in the commit')
      return result
    }
    const write = createWriteMailbox({ tx })
    const count = () =>
      write(address.id, async () => {
        runs += 1
      })
    const results = await Promise.allSettled([count(), count(), count()])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected'],
    )
    assert.equal(runs, 3)
  })

  test('ten clients that change one mailbox at once lose no change', async () => {
    const { address, client } = await selected()
    const clients = await Promise.all(Array.from({ length: 10 }, () => ground.signIn(address)))
    for (const each of clients) await each.ok('select inbox')
    await Promise.all(clients.map((each, n) => each.ok(`store 1:* +flags (k${n})`)))
    const [line = ''] = await client.ok('fetch 1 flags')
    for (let n = 0; n < 10; n += 1) assert.match(line, new RegExp(`\\bk${n}\\b`))
    await ground.check(address)
  })
})

describe('\\Recent', () => {
  test('sessions that are notified of a message at once query the database once, and one of them gets it', async () => {
    const address = await ground.address()
    const { uid } = await ground.add(address)
    const claim = { addressId: address.id, folderId: await ground.folderId(address), uid }
    let asked = 0
    const tx: Database<Tables>['tx'] = (run) => {
      asked += 1
      return ground.database.tx(run)
    }
    const recents = createRecents({ db: ground.database.db, tx }, ground.parts.log)
    const given = await Promise.all(Array.from({ length: 10 }, () => recents.claim(claim)))
    assert.deepEqual(given.toSorted(), [0, ...Array.from({ length: 9 }, () => null)])
    assert.equal(asked, 1)
  })

  test('what was reported to one session is recent to no other from that moment on', async () => {
    const { address, client } = await selected()
    const other = await ground.signIn(address)
    await ground.add(address)
    assert.match((await client.ok('noop')).join(), /\b1 RECENT|4 RECENT/)
    assert.deepEqual(await other.ok('status inbox (messages recent)'), ['* STATUS INBOX (MESSAGES 4 RECENT 0)'])
  })

  test('a session that asks while another one fails queries for itself', async () => {
    const address = await ground.address()
    const { uid } = await ground.add(address)
    const claim = { addressId: address.id, folderId: await ground.folderId(address), uid }
    let isFirst = true
    const tx: Database<Tables>['tx'] = async (run) => {
      const fails = isFirst
      isFirst = false
      if (fails) throw new Error('the database is away')
      return ground.database.tx(run)
    }
    const recents = createRecents({ db: ground.database.db, tx }, ground.parts.log)
    const [one, other] = await Promise.allSettled([recents.claim(claim), recents.claim(claim)])
    assert.equal(one.status, 'rejected')
    assert.deepEqual(other, { status: 'fulfilled', value: 0 })
  })
})
