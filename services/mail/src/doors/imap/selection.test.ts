import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createShare, deleteShare } from '../../hosting/shares/shares.ts'
import { createFolder, deleteFolder } from '../../store/folders/folders.ts'
import { changeKeywords } from '../../store/messages/keywords.ts'
import { setDeleted } from '../../store/messages/removal.ts'
import { type ImapGround, NOW, startImapGround } from './testing/ground.ts'
import { openTranscript } from './testing/transcript.ts'

let ground: ImapGround
before(async () => {
  ground = await startImapGround()
})
after(() => ground.close())

type Address = Awaited<ReturnType<ImapGround['address']>>

const withMails = async (count: number, mail = {}) => {
  const address = await ground.address()
  const mails = []
  for (let n = 0; n < count; n += 1) mails.push(await ground.add(address, mail))
  return { address, mails, play: openTranscript(ground, address) }
}

const flag = (address: Address, messageIds: string[], add: string[]) =>
  ground.database.tx((tx) => changeKeywords(tx, { addressId: address.id, messageIds, add }))

const markDeleted = async (address: Address, uids: number[]) => {
  const folderId = await ground.folderId(address)
  await ground.database.tx((tx) => setDeleted(tx, { addressId: address.id, folderId, uids, deleted: true, now: NOW }))
}

describe('SELECT', () => {
  test('returns everything that RFC 3501 and its extensions require', async () => {
    const { address, play } = await withMails(2)
    const folderId = await ground.folderId(address)
    await play.play(`
      C: a1 select inbox
      S: * FLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft)
      S: * OK [PERMANENTFLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft \\*)] <*>
      S: * 2 EXISTS
      S: * 2 RECENT
      S: * OK [UNSEEN 1] <*>
      S: * OK [UIDVALIDITY <v>] <*>
      S: * OK [UIDNEXT 3] <*>
      S: * OK [HIGHESTMODSEQ <m>] <*>
      S: * OK [MAILBOXID (${folderId})] <*>
      S: a1 OK [READ-WRITE] <*>
    `)
  })

  test('in IMAP4rev2 has no RECENT and no UNSEEN, and names the folder', async () => {
    const { play } = await withMails(1)
    await play.play(`
      C: a0 enable imap4rev2
      S: * ENABLED IMAP4rev2
      S: a0 OK <*>
      C: a1 select Inbox
      S: * FLAGS <*>
      S: * OK [PERMANENTFLAGS <*>
      S: * 1 EXISTS
      S: * LIST () "/" INBOX
      S: * OK [UIDVALIDITY <*>
      S: * OK [UIDNEXT 2] <*>
      S: * OK [HIGHESTMODSEQ <*>
      S: * OK [MAILBOXID <*>
      S: a1 OK [READ-WRITE] <*>
    `)
  })

  test('EXAMINE changes nothing: messages stay recent, and cannot be expunged', async () => {
    const { address, play } = await withMails(1)
    await markDeleted(address, [1])
    await play.play(`
      C: a1 examine inbox
      S: ...
      S: * OK [PERMANENTFLAGS ()] <*>
      S: * 1 EXISTS
      S: * 1 RECENT
      S: ...
      S: a1 OK [READ-ONLY] <*>
      C: a2 expunge
      S: a2 NO [READ-ONLY] <*>
      C: a3 close
      S: a3 OK <*>
      C: a4 select inbox
      S: ...
      S: * 1 EXISTS
      S: * 1 RECENT
      S: ...
      S: a4 OK <*>
    `)
    await ground.check(address)
  })

  test('a message is recent to one session only', async () => {
    const { address, play } = await withMails(2)
    await play.play(`
      C: a1 select inbox
      S: ...
      S: * 2 RECENT
      S: ...
      S: a1 OK <*>
      C2: b1 select inbox
      S2: ...
      S2: * 0 RECENT
      S2: ...
      S2: b1 OK <*>
    `)
    await ground.add(address)
    await play.play(`
      C2: b2 noop
      S2: * 3 EXISTS
      S2: * 1 RECENT
      S2: b2 OK <*>
      C: a2 noop
      S: * 3 EXISTS
      S: * 2 RECENT
      S: a2 OK <*>
    `)
  })

  test('EXAMINE has as many recent messages as STATUS says, also those that come meanwhile', async () => {
    const { address, play } = await withMails(1)
    await play.play(
      'C2: b1 select inbox\nS2: ...\nS2: * 1 RECENT\nS2: ...\nS2: b1 OK <*>\nC2: b2 unselect\nS2: b2 OK <*>',
    )
    await ground.add(address)
    await play.play(`
      C: a1 status inbox (recent)
      S: * STATUS INBOX (RECENT 1)
      S: a1 OK <*>
      C: a2 examine inbox
      S: ...
      S: * 2 EXISTS
      S: * 1 RECENT
      S: ...
      S: a2 OK <*>
      C: a3 fetch 1:2 flags
      S: * 1 FETCH (FLAGS ())
      S: * 2 FETCH (FLAGS (\\Recent))
      S: a3 OK <*>
    `)
    await ground.add(address)
    await play.play(`
      C: a4 noop
      S: * 3 EXISTS
      S: * 2 RECENT
      S: a4 OK <*>
      C: a5 search recent
      S: * SEARCH 2 3
      S: a5 OK <*>
      C: a6 status inbox (recent)
      S: * STATUS INBOX (RECENT 2)
      S: a6 OK <*>
      C2: b3 select inbox
      S2: ...
      S2: * 2 RECENT
      S2: ...
      S2: b3 OK <*>
    `)
    await ground.add(address)
    await play.play(`
      C2: b4 noop
      S2: * 4 EXISTS
      S2: * 3 RECENT
      S2: b4 OK <*>
      C: a7 noop
      S: * 4 EXISTS
      S: * 2 RECENT
      S: a7 OK <*>
    `)
  })

  test('names in modified UTF-7, or in UTF-8 once that is enabled, lead to the same folder', async () => {
    const { address, play } = await withMails(0)
    await ground.database.tx((tx) => createFolder(tx, { addressId: address.id, name: 'Entwürfe & mehr' }))
    await play.play(`
      C: a1 select "Entw&APw-rfe &- mehr"
      S: ...
      S: a1 OK <*>
      C: a2 enable utf8=accept
      S: * ENABLED UTF8=ACCEPT
      S: a2 OK <*>
    `)
    const client = await play.session()
    client.write(Buffer.from('a3 select "Entwürfe & mehr"\r\n'))
    await play.play('S: ...\nS: a3 OK [READ-WRITE] <*>')
  })

  for (const name of [
    '"a&b"',
    '"&AGE-"',
    '"&Jjo!"',
    '"&2AA-"',
    '"&"',
    '"&AAA-"',
    '"Entw\xc3\xbcrfe"',
    '"Entw\xfcrfe"',
    '{1+}\r\n\xff',
  ])
    test(`${JSON.stringify(name)} is the name of no folder, and no mistake in the command`, async () => {
      const address = await ground.address()
      await ground.database.tx((tx) => createFolder(tx, { addressId: address.id, name: 'Entwürfe' }))
      const client = await ground.signIn(address)
      const said = async (command: string) => {
        client.write(Buffer.from(`a1 ${command}\r\n`, 'latin1'))
        return client.response()
      }
      for (const command of [
        'select',
        'examine',
        'create',
        'delete',
        'rename inbox',
        'subscribe',
        'getquotaroot',
        'getmetadata',
      ]) {
        const words = command === 'getmetadata' ? `${command} ${name} /private/comment` : `${command} ${name}`
        assert.match((await said(words)) ?? '', /^a1 NO /, command)
      }
      assert.match((await said(`status ${name} (messages)`)) ?? '', /^a1 NO \[NONEXISTENT\]/)
      assert.match((await said(`append ${name} {1+}\r\nx`)) ?? '', /^a1 NO /)
      assert.match((await said(`list "" ${name}`)) ?? '', /^a1 OK /)
      assert.match((await said(`lsub "" ${name}`)) ?? '', /^a1 OK /)
      assert.match((await said(`list ${name} *`)) ?? '', /^a1 OK /)
      assert.match((await said(`unsubscribe ${name}`)) ?? '', /^a1 OK /)
      await client.ok('select inbox')
      assert.match((await said(`select ${name}`)) ?? '', /^\* OK \[CLOSED\]/)
      assert.match((await client.response()) ?? '', /^a1 NO \[NONEXISTENT\]/)
      assert.match((await client.say('check')).tagged, /^BAD/)
      assert.deepEqual(ground.logs, [])
    })
})

describe('what others change', () => {
  test('is reported after the next command: flags, new messages, and those that are gone', async () => {
    const { address, mails, play } = await withMails(3)
    await play.play('C: a1 select inbox\nS: ...\nS: a1 OK <*>')
    await flag(address, [mails[1]?.messageId ?? ''], ['$flagged', 'work'])
    await play.play(`
      C: a2 noop
      S: * FLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft work)
      S: * OK [PERMANENTFLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft work \\*)] <*>
      S: * 2 FETCH (FLAGS (\\Flagged work \\Recent))
      S: a2 OK <*>
    `)
    await markDeleted(address, [1, 3])
    await play.play(`
      C2: b1 select inbox
      S2: ...
      S2: b1 OK <*>
      C2: b2 expunge
      S2: * 3 EXPUNGE
      S2: * 1 EXPUNGE
      S2: b2 OK <*>
    `)
    await ground.add(address)
    await play.play(`
      C: a3 noop
      S: * 3 EXPUNGE
      S: * 1 EXPUNGE
      S: * 2 EXISTS
      S: * 2 RECENT
      S: a3 OK <*>
      C: a4 noop
      S: a4 OK <*>
    `)
    await ground.check(address)
  })

  test('messages that are gone keep their numbers until EXPUNGE may be sent', async () => {
    const { address, play } = await withMails(2)
    await play.play('C: a1 select inbox\nS: ...\nS: a1 OK <*>\nC2: b1 select inbox\nS2: ...\nS2: b1 OK <*>')
    await markDeleted(address, [1])
    await play.play(`
      C2: b2 uid expunge 1
      S2: * 1 EXPUNGE
      S2: b2 OK <*>
      C: a2 fetch 2 uid
      S: * 2 FETCH (UID 2)
      S: a2 OK <*>
      C: a3 uid fetch 2 uid
      S: ...
      S: * 1 EXPUNGE
      S: a3 OK <*>
      C: a4 fetch 1 uid
      S: * 1 FETCH (UID 2)
      S: a4 OK <*>
      C: a5 fetch 2 uid
      S: a5 BAD <*>
    `)
  })

  test('with QRESYNC is reported with UIDs and modification sequences', async () => {
    const { address, mails, play } = await withMails(3)
    await play.play(`
      C: a0 enable qresync
      S: * ENABLED QRESYNC
      S: a0 OK <*>
      C: a1 select inbox
      S: ...
      S: a1 OK <*>
    `)
    await flag(address, [mails[0]?.messageId ?? ''], ['$seen'])
    await markDeleted(address, [2, 3])
    await play.play(`
      C: a2 noop
      S~: * 1 FETCH (UID 1 FLAGS (\\Seen \\Recent) MODSEQ (<one>))
      S~: * 2 FETCH (UID 2 FLAGS (\\Deleted \\Recent) MODSEQ (<two>))
      S~: * 3 FETCH (UID 3 FLAGS (\\Deleted \\Recent) MODSEQ (<two>))
      S: a2 OK <*>
      C: a3 expunge
      S: * VANISHED 2:3
      S: a3 OK [HIGHESTMODSEQ <h>] Expunged
    `)
  })

  test('a folder that is deleted before it is written down what was recent there leaves no error', async () => {
    const { address, play } = await withMails(0)
    const folder = await ground.database.tx((tx) => createFolder(tx, { addressId: address.id, name: 'Gone' }))
    await play.play('C: a1 select Gone\nS: ...\nS: a1 OK <*>')
    await ground.add(address, { folder: 'Gone' })
    await play.play('C: a2 noop\nS: * 1 EXISTS\nS: * 1 RECENT\nS: a2 OK <*>')
    await ground.database.tx((tx) =>
      deleteFolder(tx, { addressId: address.id, folderId: folder.id, messages: 'destroy', now: NOW }),
    )
    await play.play('C2: b1 status inbox (recent)\nS2: * STATUS INBOX (RECENT 0)\nS2: b1 OK <*>')
    assert.deepEqual(ground.logs, [])
  })

  test('is not reported after BYE', async () => {
    const { address, mails, play } = await withMails(2)
    await play.play('C: a1 select inbox\nS: ...\nS: a1 OK <*>\nC2: b1 select inbox\nS2: ...\nS2: b1 OK <*>')
    await play.play('C2: b2 idle\nS2: + idling')
    await flag(address, [mails[0]?.messageId ?? ''], ['$flagged'])
    await play.play('S2: * 1 FETCH (FLAGS (\\Flagged))')
    await play.play('C: a2 logout\nS: * BYE <*>\nS: a2 OK <*>\nS: END')
  })

  test('a folder that is deleted ends the connections that have it selected', async () => {
    const { address, play } = await withMails(0)
    const folder = await ground.database.tx((tx) => createFolder(tx, { addressId: address.id, name: 'Gone' }))
    await play.play('C: a1 select Gone\nS: ...\nS: a1 OK <*>')
    await ground.database.tx((tx) =>
      deleteFolder(tx, { addressId: address.id, folderId: folder.id, messages: 'refuse', now: NOW }),
    )
    await play.play('C: a2 noop\nS: a2 OK <*>\nS: * BYE <*>\nS: END')
  })
})

describe('a mailbox of somebody else', () => {
  test('is there as far as it is shared, and its connections end with the share', async () => {
    const [anna, bert] = [await ground.address(), await ground.address()]
    await ground.add(anna)
    const share = await ground.database.tx((tx) =>
      createShare(tx, {
        accountId: ground.accountId,
        addressId: anna.id,
        withAddressId: bert.id,
        access: 'read',
        now: NOW,
      }),
    )
    const play = openTranscript(ground, bert)
    await play.play(`
      C: a1 select Shared/${anna.email}/INBOX
      S: ...
      S: * OK [PERMANENTFLAGS (\\Seen)] <*>
      S: * 1 EXISTS
      S: ...
      S: a1 OK [READ-WRITE] <*>
      C: a2 expunge
      S: a2 NO [NOPERM] <*>
      C: a3 select Shared/nobody@stoa.test/INBOX
      S: * OK [CLOSED] <*>
      S: a3 NO [NONEXISTENT] <*>
      C: a4 select Shared/${anna.email}/INBOX
      S: ...
      S: a4 OK <*>
      C: a5 idle
      S: + idling
    `)
    await ground.add(anna)
    await play.play('S: * 2 EXISTS\nS: * <*> RECENT')
    await ground.database.tx((tx) => deleteShare(tx, { accountId: ground.accountId, addressId: anna.id, id: share.id }))
    await play.play('S: a5 NO [NONEXISTENT] <*>\nS: * BYE <*>\nS: END')
  })
})

describe('IDLE', () => {
  test('reports changes at once', async () => {
    const { address, mails, play } = await withMails(1)
    await play.play('C: a1 select inbox\nS: ...\nS: a1 OK <*>\nC: a2 idle\nS: + idling')
    await ground.add(address)
    await play.play('S: * 2 EXISTS\nS: * 2 RECENT')
    await flag(address, [mails[0]?.messageId ?? ''], ['$seen'])
    await play.play('S: * 1 FETCH (FLAGS (\\Seen \\Recent))')
    await play.play('C: DONE\nS: a2 OK <*>\nC: a3 noop\nS: a3 OK <*>')
  })

  test('what happened before it is reported first', async () => {
    const { address, play } = await withMails(0)
    await play.play('C: a1 select inbox\nS: ...\nS: a1 OK <*>')
    await ground.add(address)
    await play.play('C: a2 idle\nS: + idling\nS: * 1 EXISTS\nS: * 1 RECENT\nC: done\nS: a2 OK <*>')
  })

  test('ends with anything, but only DONE is right', async () => {
    const { play } = await withMails(0)
    await play.play('C: a1 idle\nS: + idling\nC: a2 noop\nS: a1 BAD <*>\nC: a3 noop\nS: a3 OK <*>')
  })

  test('many changes in a burst arrive as few', async () => {
    const { address, play } = await withMails(0)
    const client = await play.session()
    await play.play('C: a1 select inbox\nS: ...\nS: a1 OK <*>\nC: a2 idle\nS: + idling')
    for (let n = 0; n < 30; n += 1) await ground.add(address)
    let responses = 0
    for (let line = ''; line !== '* 30 EXISTS'; line = (await client.response()) ?? '* 30 EXISTS') responses += 1
    assert.ok(responses <= 60, `${responses} responses`)
  })
})

describe('QRESYNC', () => {
  test('reports what vanished and changed since a client was last connected', async () => {
    const { address, mails, play } = await withMails(5)
    const kept = await play.play(`
      C: a0 enable qresync
      S: * ENABLED QRESYNC
      S: a0 OK <*>
      C: a1 select inbox
      S: ...
      S: * OK [UIDVALIDITY <v>] <*>
      S: ...
      S: * OK [HIGHESTMODSEQ <m>] <*>
      S: ...
      S: a1 OK <*>
      C: a2 unselect
      S: a2 OK <*>
    `)
    await flag(address, [mails[0]?.messageId ?? '', mails[4]?.messageId ?? ''], ['$seen'])
    await markDeleted(address, [2, 3])
    await play.play(`
      C2: b1 select inbox
      S2: ...
      S2: b1 OK <*>
      C2: b2 close
      S2: b2 OK <*>
      C: a3 select inbox (qresync (<v> <m>))
      S: ...
      S: * OK [MAILBOXID <*>
      S: * VANISHED (EARLIER) 2:3
      S: * 1 FETCH (UID 1 FLAGS (\\Seen<*>) MODSEQ (<n>))
      S: * 3 FETCH (UID 5 FLAGS (\\Seen<*>) MODSEQ (<n>))
      S: a3 OK <*>
      C: a4 select inbox (qresync (<v> <m> 1:2))
      S: ...
      S: * VANISHED (EARLIER) 2
      S: * 1 FETCH (UID 1 <*>
      S: a4 OK <*>
      C: a5 select inbox (qresync (1 <m> 1:2 (1 1)))
      S: ...
      S: * OK [MAILBOXID <*>
      S: a5 OK <*>
    `)
    // Where the history was pruned, everything that is not there is reported as vanished.
    await ground.database.pool.query('update mailbox set floor = modseq where address_id = $1', [address.id])
    await play.play(`
      C: a6 select inbox (qresync (<v> <m>))
      S: ...
      S: * VANISHED (EARLIER) 2:3
      S: ...
      S: a6 OK <*>
      C: a7 select inbox (qresync (<v> <m> 1:5 (1,2 1,4)))
      S: ...
      S: * OK [MAILBOXID <*>
      S: * 1 FETCH (UID 1 <*>
      S: * 3 FETCH (UID 5 <*>
      S: a7 OK <*>
    `)
    assert.ok(kept.has('v'))
  })

  test('needs to be enabled first', async () => {
    const { play } = await withMails(0)
    await play.play(`
      C: a1 select inbox (qresync (1 1))
      S: a1 BAD Enable QRESYNC first
      C: a2 select inbox (condstore)
      S: ...
      S: a2 OK <*>
    `)
  })
})
