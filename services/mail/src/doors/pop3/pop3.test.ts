import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import Pop3Client from 'node-pop3'
import { MAILBOX_PASSWORD, type PlantedAddress } from '../../hosting/addresses/testing/hosting.ts'
import { folderByRole } from '../../store/folders/folders.ts'
import { checkMailbox } from '../../store/mailbox/check.ts'
import { listUids } from '../../store/messages/list.ts'
import { removeFromFolder } from '../../store/messages/maildrop.ts'
import { copyMessages } from '../../store/messages/moves.ts'
import { setDeleted } from '../../store/messages/removal.ts'
import { connectPop3, type Pop3Ground, type RawPop3, startPop3Ground } from './testing/ground.ts'

let ground: Pop3Ground
before(async () => {
  ground = await startPop3Ground()
})
after(() => ground.close())

const PLAIN = 'Subject: One\r\n\r\nFirst line\r\n.second\r\n..\r\nlast\r\n'
const ODD = 'Subject: Two\n\nfirst\n.\nno end'

const inboxOf = async ({ id }: PlantedAddress): Promise<string> =>
  (await folderByRole(ground.mail.database.db, id, 'inbox'))?.id ?? assert.fail('no inbox')
const uidsOf = async (address: PlantedAddress): Promise<number[]> =>
  listUids(ground.mail.database.db, address.id, await inboxOf(address))
const signedIn = async (address: PlantedAddress): Promise<RawPop3> => {
  const client = await connectPop3(ground.plain.port)
  assert.match((await client.signIn(address)) ?? '', /^\+OK /)
  return client
}
const unstuff = (text: string): string => text.replace(/(^|\n)\./g, '$1')

describe('a POP3 client', () => {
  test('from npm lists, reads and deletes over TLS', async () => {
    const address = await ground.plant()
    // Without dots at the start of lines: this client leaves them as they are sent.
    const text = 'Subject: One\r\n\r\nFirst line\r\nSecond line\r\n'
    await ground.add(address, text)
    await ground.add(address, 'Subject: Two\r\n\r\nSecond\r\n')
    const open = () =>
      new Pop3Client({
        host: '127.0.0.1',
        port: ground.secure.port,
        tls: true,
        tlsOptions: Object.assign({}, { rejectUnauthorized: false }),
        user: address.email,
        password: MAILBOX_PASSWORD,
        timeout: 10_000,
      })
    const client = open()
    assert.equal(await client.STAT(), `2 ${text.length + 24}`)
    assert.deepEqual(await client.LIST(), [
      ['1', String(text.length)],
      ['2', '24'],
    ])
    const [first, second] = await client.UIDL()
    assert.match(first?.[1] ?? '', /^\d+\.1$/)
    assert.match(second?.[1] ?? '', /^\d+\.2$/)
    assert.equal((await client.RETR(1)).trimEnd(), text.trimEnd())
    assert.equal((await client.TOP(1, 1)).trimEnd(), 'Subject: One\r\n\r\nFirst line')
    await client.DELE(1)
    await client.QUIT()
    assert.deepEqual(await uidsOf(address), [2])
    const again = open()
    assert.deepEqual(await again.UIDL(), [['1', second?.[1]]])
    await again.QUIT()
    assert.deepEqual(await checkMailbox(ground.mail.database.db, address.id), [])
  })

  test('gets the size of what it will be sent, whatever the line endings are', async () => {
    const address = await ground.plant()
    for (const raw of [PLAIN, ODD, '', 'no header', 'a\n', '\r\n', 'x\r']) await ground.add(address, raw)
    await ground.add(address, ODD, { prefix: 'X-Ours: 1\r\n' })
    const client = await signedIn(address)
    const { block } = await client.ask('LIST')
    const sizes = block
      .trimEnd()
      .split('\r\n')
      .map((line) => Number(line.split(' ')[1]))
    assert.equal(sizes.length, 8)
    for (const [index, size] of sizes.entries()) {
      const sent = await client.ask(`RETR ${index + 1}`)
      assert.equal(sent.first, `+OK ${size} octets`)
      assert.equal(unstuff(sent.block).length, size, JSON.stringify(sent.block))
      assert.doesNotMatch(sent.block, /(^|[^\r])\n/)
    }
    assert.equal(await client.say('STAT'), `+OK 8 ${sizes.reduce((sum, size) => sum + size, 0)}`)
    assert.equal((await client.ask('RETR 2')).block, 'Subject: Two\r\n\r\nfirst\r\n..\r\nno end\r\n')
    assert.equal((await client.ask('RETR 8')).block, 'X-Ours: 1\r\nSubject: Two\r\n\r\nfirst\r\n..\r\nno end\r\n')
    client.close()
  })

  test('reads a large message at its own pace, and only as much of it as it asks for', async () => {
    const address = await ground.plant()
    const body = `${'.'.repeat(70)}\r\n`.repeat(200_000)
    await ground.add(address, `Subject: Large\r\n\r\n${body}`)
    let read = 0
    const onRead = (bytes: number) => {
      read += bytes
    }
    const server = await ground.open({ onRead })
    const client = await connectPop3(server.port)
    await client.signIn(address)
    const top = await client.ask('TOP 1 2')
    assert.equal(top.block, `Subject: Large\r\n\r\n${`.${'.'.repeat(70)}\r\n`.repeat(2)}`)
    assert.ok(read < body.length / 10, `${read} bytes read`)
    client.socket.pause()
    client.send('RETR 1\r\n')
    await passTime(300, 'a server that did not wait for the client would have read it all')
    // The rest waits in the file; the system holds some megabytes.
    assert.ok(read < body.length, `${read} bytes read`)
    client.socket.resume()
    assert.equal(await client.line(), `+OK ${18 + body.length} octets`)
    assert.equal(unstuff(await client.block()), `Subject: Large\r\n\r\n${body}`)
    assert.equal(await client.say('NOOP'), '+OK')
    client.close()
  })

  test('that does not read is let go', async () => {
    const address = await ground.plant()
    await ground.add(address, `Subject: Large\r\n\r\n${'x'.repeat(998)}\r\n`.repeat(15_000))
    const server = await ground.open({ limits: { writeMs: 50 } })
    const client = await connectPop3(server.port)
    await client.signIn(address)
    client.socket.pause()
    client.send('RETR 1\r\n')
    await until(() => server.connections() === 0, 'it is let go')
    client.close()
  })

  test('sees the inbox as it was at sign-in, without what is marked as deleted', async () => {
    const address = await ground.plant()
    for (let n = 0; n < 3; n += 1) await ground.add(address, `Subject: ${n}\r\n\r\nx\r\n`)
    const folderId = await inboxOf(address)
    const now = ground.mail.clock.now()
    const { database } = ground.mail
    await database.tx((tx) => setDeleted(tx, { addressId: address.id, folderId, uids: [2], deleted: true, now }))
    const client = await signedIn(address)
    assert.equal((await client.ask('UIDL')).block.replace(/\d+\./g, ''), '1 1\r\n2 3\r\n')
    await ground.add(address, PLAIN)
    await removeFromFolder(database, { addressId: address.id, folderId, uids: [1], now: () => now })
    assert.match((await client.say('STAT')) ?? '', /^\+OK 2 /)
    assert.equal(await client.say('RETR 1'), '-ERR The message no longer exists')
    assert.equal(await client.say('RETR 3'), '-ERR No such message')
    assert.match((await client.ask('RETR 2')).block, /^Subject: 2/)
    assert.equal(await client.say('DELE 1'), '+OK Marked for deletion')
    assert.equal(await client.say('DELE 2'), '+OK Marked for deletion')
    assert.equal(await client.say('QUIT'), '+OK Bye')
    assert.deepEqual(await uidsOf(address), [2, 4])
  })

  test('takes back what it marked, and marked messages do not exist', async () => {
    const address = await ground.plant()
    for (let n = 0; n < 3; n += 1) await ground.add(address, 'Subject: x\r\n\r\n')
    const client = await signedIn(address)
    assert.equal(await client.say('STAT'), '+OK 3 42')
    assert.equal(await client.say('DELE 2'), '+OK Marked for deletion')
    for (const command of ['DELE 2', 'RETR 2', 'TOP 2 0', 'LIST 2', 'UIDL 2'])
      assert.equal(await client.say(command), '-ERR No such message', command)
    assert.equal(await client.say('STAT'), '+OK 2 28')
    assert.equal((await client.ask('LIST')).block, '1 14\r\n3 14\r\n')
    assert.equal(await client.say('LIST 3'), '+OK 3 14')
    assert.equal(await client.say('RSET'), '+OK 3 messages, 42 octets')
    assert.equal((await client.ask('LIST')).block, '1 14\r\n2 14\r\n3 14\r\n')
    assert.equal(await client.say('QUIT'), '+OK Bye')
    assert.deepEqual(await uidsOf(address), [1, 2, 3])
  })

  test('that goes without QUIT removes nothing, however it goes', async () => {
    const address = await ground.plant()
    await ground.add(address, PLAIN)
    const server = await ground.open({ limits: { idleMs: 400 } })
    const cut = await signedIn(address)
    await cut.say('DELE 1')
    cut.close()
    const idle = await connectPop3(server.port)
    await idle.signIn(address)
    await idle.say('DELE 1')
    assert.equal(await idle.line(), '-ERR [SYS/TEMP] Connection closed after inactivity')
    assert.equal(await idle.line(), null)
    const half = await signedIn(address)
    await half.say('DELE 1')
    half.socket.end()
    assert.equal(await half.line(), null)
    const stopped = await ground.open()
    const last = await connectPop3(stopped.port)
    await last.signIn(address)
    await last.say('DELE 1')
    const stopping = stopped.stop()
    assert.equal(await last.line(), '-ERR [SYS/TEMP] Closing the connection, try again')
    assert.equal(await last.line(), null)
    await stopping
    assert.deepEqual(await uidsOf(address), [1])
  })

  test('may have the mailbox open several times, each with its own marks', async () => {
    const address = await ground.plant()
    for (let n = 0; n < 2; n += 1) await ground.add(address, PLAIN)
    const [one, other] = [await signedIn(address), await signedIn(address)]
    await one.say('DELE 1')
    await other.say('DELE 1')
    await other.say('DELE 2')
    assert.equal(await one.say('QUIT'), '+OK Bye')
    assert.equal(await other.say('QUIT'), '+OK Bye')
    assert.deepEqual(await uidsOf(address), [])
  })

  test('takes a message out of the inbox only: other folders keep it', async () => {
    const address = await ground.plant()
    await ground.add(address, PLAIN)
    const { database } = ground.mail
    const archive = (await folderByRole(database.db, address.id, 'archive'))?.id ?? ''
    const transfer = { addressId: address.id, folderId: await inboxOf(address), uids: [1], toFolderId: archive }
    await database.tx((tx) => copyMessages(tx, { ...transfer, quotaBytes: null, now: ground.mail.clock.now() }))
    const client = await signedIn(address)
    await client.say('DELE 1')
    await client.say('QUIT')
    assert.deepEqual(await uidsOf(address), [])
    assert.equal((await listUids(database.db, address.id, archive)).length, 1)
  })

  test('deletes thousands of messages in transactions that others can get between', async () => {
    const address = await ground.plant()
    const { database } = ground.mail
    await ground.add(address, PLAIN)
    const copy = { addressId: address.id, folderId: await inboxOf(address), toFolderId: await inboxOf(address) }
    const now = ground.mail.clock.now()
    while ((await uidsOf(address)).length < 1_024) {
      const uids = await uidsOf(address)
      await database.tx((tx) => copyMessages(tx, { ...copy, uids, quotaBytes: null, now }))
    }
    const client = await signedIn(address)
    client.send(Array.from({ length: 1_024 }, (_, index) => `DELE ${index + 1}\r\n`).join(''))
    for (let n = 0; n < 1_024; n += 1) assert.equal(await client.line(), '+OK Marked for deletion')
    const watch = database.watchStatements()
    assert.equal(await client.say('QUIT'), '+OK Bye')
    watch.stop()
    assert.equal(watch.texts.filter((text) => text === 'commit').length, 3)
    assert.deepEqual(await uidsOf(address), [])
    assert.deepEqual(await checkMailbox(database.db, address.id), [])
  })

  test('gets an error for a damaged message, and can read the others', async () => {
    const address = await ground.plant()
    const broken = await ground.add(address, 'Subject: Broken\r\n\r\nx\r\n')
    await ground.add(address, PLAIN)
    const { database } = ground.mail
    await database.pool.query('update message set blob_key = $1 where id = $2', ['0'.repeat(64), broken.messageId])
    const client = await signedIn(address)
    assert.equal(await client.say('RETR 1'), '-ERR [SYS/PERM] The message is damaged')
    assert.equal(unstuff((await client.ask('RETR 2')).block), PLAIN)
    client.close()
  })
})

describe('many messages', () => {
  const MANY = 5_000

  test('are listed, and the last one is read with no more statements than the first', async () => {
    const address = await ground.plant()
    const added = await ground.add(address, PLAIN)
    const { database } = ground.mail
    // As the store would have written them, many in one statement.
    for (let batch = 0; batch < MANY / 1_000; batch += 1)
      await database.pool.query(
        `with made as (
           insert into message (address_id, id, thread_id, blob_key, prefix, size, structure, keywords, received_at, sent_at,
             subject, preview, has_attachment, envelope, from_sort, to_sort, subject_sort, created_modseq, modseq, indexed)
           select address_id, gen_random_uuid(), thread_id, blob_key, prefix, size, structure, keywords, received_at,
             sent_at, subject, preview, has_attachment, envelope, from_sort, to_sort, subject_sort, created_modseq, modseq,
             true
           from message, generate_series(1, 1000) where id = $1 returning id
         )
         insert into message_folder (address_id, folder_id, uid, message_id, modseq, received_at, added_at)
         select $2, $3, $4::int + row_number() over (), id, 1, now(), now() from made`,
        [added.messageId, address.id, await inboxOf(address), 1 + batch * 1_000],
      )
    // As autovacuum does some time after so many came.
    await database.pool.query('analyze message, message_folder')
    const client = await signedIn(address)
    assert.equal(await client.say('STAT'), `+OK ${MANY + 1} ${(MANY + 1) * PLAIN.length}`)
    const listed = await client.ask('UIDL')
    assert.equal(listed.block.split('\r\n').length, MANY + 2)
    assert.match(listed.block, /\r\n5001 \d+\.5001\r\n$/)
    const statementsOf = async (place: number): Promise<number> => {
      const watch = database.watchStatements()
      assert.equal(unstuff((await client.ask(`RETR ${place}`)).block), PLAIN)
      watch.stop()
      return watch.texts.length
    }
    assert.equal(await statementsOf(5_001), await statementsOf(1))
    client.close()
  })
})
