import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { PlantedAddress } from '../../../hosting/addresses/testing/hosting.ts'
import { listUids } from '../../../store/messages/list.ts'
import { type ImapGround, NOW, startImapGround } from '../testing/ground.ts'
import { openTranscript } from '../testing/transcript.ts'

let ground: ImapGround
before(async () => {
  ground = await startImapGround()
})
after(() => ground.close())

const having = async (count: number, email?: string) => {
  const address = await ground.address(email)
  for (let at = 1; at <= count; at += 1) await ground.add(address, { text: `text ${at}` })
  return { address, transcript: openTranscript(ground, address) }
}
const uidsIn = async (address: PlantedAddress, path: string) =>
  listUids(ground.database.db, address.id, await ground.folderId(address, path))
const share = (owner: PlantedAddress, other: PlantedAddress, access: string) =>
  ground.database.pool.query(
    `insert into share (id, address_id, with_address_id, access, created_at) values (gen_random_uuid(), $1, $2, $3, $4)`,
    [owner.id, other.id, access, NOW],
  )
const SELECT = `
  C: s1 select inbox
  S: ...
  S: s1 OK <*>`

describe('COPY', () => {
  test('gives copies new UIDs with the same flags, and returns them', async () => {
    const { transcript, address } = await having(4)
    await transcript.play(`${SELECT}
      C: a1 store 2 +flags.silent (\\Seen $Junk)
      S: a1 OK <*>
      C: a2 copy 1:2,4 Archive
      S: a2 OK [COPYUID <v> 1:2,4 1:3] <*>
      C: a3 uid copy 3 "archive"
      S: a3 NO [TRYCREATE] <*>
      C: a4 status Archive (messages uidvalidity)
      S: * STATUS Archive (MESSAGES 3 UIDVALIDITY <v>)
      S: a4 OK <*>
      C: a5 select Archive
      S: ...
      S: a5 OK <*>
      C: a6 fetch 2 (flags body.peek[text])
      S: * 2 FETCH (FLAGS ($Junk \\Seen \\Recent) BODY[TEXT] {8}\\r\\ntext 2\\r\\n)
      S: a6 OK <*>
    `)
    await ground.check(address)
  })

  test('into the same folder makes messages of their own', async () => {
    const { transcript, address } = await having(1)
    await transcript.play(`${SELECT}
      C: a1 copy 1 inbox
      S: * 2 EXISTS
      S: * 2 RECENT
      S: a1 OK [COPYUID <v> 1 2] <*>
      C: a2 store 2 +flags (\\Flagged)
      S: * 2 FETCH (FLAGS (\\Flagged \\Recent))
      S: a2 OK <*>
      C: a3 fetch 1 (flags)
      S: * 1 FETCH (FLAGS (\\Recent))
      S: a3 OK <*>
    `)
    await ground.check(address)
  })

  test('UIDs that are not there are no error', async () => {
    const { transcript } = await having(1)
    await transcript.play(`${SELECT}
      C: a1 uid copy 9 Archive
      S: a1 OK <*>
      C: a2 copy 9 Archive
      S: a2 BAD <*>
      C: a3 copy 1
      S: a3 BAD <*>
    `)
  })

  test('over the quota nothing is copied', async () => {
    const { transcript, address } = await having(2)
    await ground.database.pool.query('update address set quota_bytes = 700 where id = $1', [address.id])
    await transcript.play(`${SELECT}
      C: a1 copy 1:2 inbox
      S: a1 NO [OVERQUOTA] <*>
    `)
    assert.deepEqual(await uidsIn(address, 'Inbox'), [1, 2])
    await ground.check(address)
  })
})

describe('MOVE', () => {
  test('returns which UID became which before the messages are expunged', async () => {
    const { transcript, address } = await having(4)
    await transcript.play(`${SELECT}
      C: a1 move 2,4 Archive
      S: * OK [COPYUID <v> 2,4 1:2] <*>
      S: * 4 EXPUNGE
      S: * 2 EXPUNGE
      S: a1 OK <*>
      C: a2 uid move 1 Archive
      S: * OK [COPYUID <v> 1 3] <*>
      S: * 1 EXPUNGE
      S: a2 OK <*>
      C: a3 move 1 inbox
      S: * OK [COPYUID <*> 3 5] <*>
      S: * 1 EXPUNGE
      S: * 1 EXISTS
      S: * 1 RECENT
      S: a3 OK <*>
      C: a4 move 1 Nowhere
      S: a4 NO [TRYCREATE] <*>
      C: a5 examine inbox
      S: ...
      S: a5 OK <*>
      C: a6 move 1 Archive
      S: a6 NO [READ-ONLY] <*>
    `)
    assert.deepEqual(await uidsIn(address, 'Archive'), [1, 2, 3])
    await ground.check(address)
  })
})

describe('between mailboxes', () => {
  test('messages are copied and moved to a shared one and back', async () => {
    const owner = await ground.address('owner@stoa.test')
    const { transcript, address } = await having(3)
    await share(owner, address, 'write')
    await ground.add(owner, { text: 'of the owner', keywords: ['$seen', '$flagged'] })
    await transcript.play(`${SELECT}
      C: a1 store 1 +flags.silent (\\Seen $Forwarded)
      S: a1 OK <*>
      C: a2 copy 1:2 Shared/owner@stoa.test/INBOX
      S: a2 OK [COPYUID <v> 1:2 2:3] <*>
      C: a3 move 3 Shared/owner@stoa.test/Archive
      S: * OK [COPYUID <w> 3 1] <*>
      S: * 3 EXPUNGE
      S: a3 OK <*>
      C: a4 select Shared/owner@stoa.test/INBOX
      S: ...
      S: a4 OK <*>
      C: a5 fetch 1:3 (flags)
      S: * 1 FETCH (FLAGS (\\Flagged<*>))
      S: * 2 FETCH (FLAGS ($Forwarded \\Seen<*>))
      S: * 3 FETCH (FLAGS (<*>))
      S: a5 OK <*>
      C: a6 uid move 1 INBOX
      S: * OK [COPYUID <x> 1 4] <*>
      S: * 1 EXPUNGE
      S: a6 OK <*>
      C: a7 select inbox
      S: ...
      S: a7 OK <*>
      C: a8 fetch 3 (uid flags body.peek[text])
      S: * 3 FETCH (UID 4 FLAGS (\\Flagged<*>) BODY[TEXT] {14}\\r\\nof the owner\\r\\n)
      S: a8 OK <*>
    `)
    assert.deepEqual(await uidsIn(owner, 'Inbox'), [2, 3])
    assert.deepEqual(await uidsIn(owner, 'Archive'), [1])
    await ground.check(owner)
    await ground.check(address)
  })

  test('a user who may only read a mailbox puts nothing there and takes nothing away', async () => {
    const owner = await ground.address('reader-owner@stoa.test')
    const { transcript, address } = await having(1)
    await share(owner, address, 'read')
    await ground.add(owner)
    await transcript.play(`${SELECT}
      C: a1 copy 1 Shared/reader-owner@stoa.test/INBOX
      S: a1 NO [NOPERM] <*>
      C: a2 select Shared/reader-owner@stoa.test/INBOX
      S: ...
      S: a2 OK <*>
      C: a3 move 1 INBOX
      S: a3 NO [NOPERM] <*>
      C: a4 store 1 +flags (\\Flagged)
      S: a4 NO [NOPERM] <*>
      C: a5 store 1 +flags (\\Seen)
      S: * 1 FETCH (FLAGS (\\Seen<*>))
      S: a5 OK <*>
      C: a6 copy 1 INBOX
      S: a6 OK [COPYUID <*> 1 2] <*>
    `)
    assert.deepEqual(await uidsIn(owner, 'Inbox'), [1])
    await ground.check(owner)
  })
})
