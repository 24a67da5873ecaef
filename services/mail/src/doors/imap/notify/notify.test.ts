import { after, before, describe, test } from 'node:test'
import { createFolder, deleteFolder, updateFolder } from '../../../store/folders/folders.ts'
import { changeKeywords } from '../../../store/messages/keywords.ts'
import { type ImapGround, NOW, startImapGround } from '../testing/ground.ts'
import { openTranscript } from '../testing/transcript.ts'

let ground: ImapGround
before(async () => {
  ground = await startImapGround()
})
after(() => ground.close())

describe('NOTIFY', () => {
  test('reports other folders at once, and with STATUS their state', async () => {
    const anna = await ground.address()
    const { messageId } = await ground.add(anna, { folder: 'Archive' })
    const play = openTranscript(ground, anna)
    await play.play(`
      C: a1 notify set status (mailboxes archive (MessageNew MessageExpunge)) (personal none)
      S: a1 OK <*>
      C: a2 notify set status (mailboxes Archive (MessageNew MessageExpunge FlagChange))
      S: * STATUS Archive (MESSAGES 1 UIDNEXT 2 UIDVALIDITY <v> HIGHESTMODSEQ <h>)
      S: a2 OK <*>
    `)
    await ground.add(anna, { folder: 'Archive' })
    await play.play('S: * STATUS Archive (MESSAGES 2 UIDNEXT 3 UIDVALIDITY <v> HIGHESTMODSEQ <i>)')
    await ground.database.tx((tx) =>
      changeKeywords(tx, { addressId: anna.id, messageIds: [messageId], add: ['$seen'] }),
    )
    await play.play('S: * STATUS Archive (UIDVALIDITY <v> HIGHESTMODSEQ <j>)')
    await ground.add(anna, { folder: 'Drafts' })
    await play.play('C: a3 noop\nS: a3 OK <*>\nC: a4 notify none\nS: a4 OK <*>')
    await ground.add(anna, { folder: 'Archive' })
    await play.play('C: a5 noop\nS: a5 OK <*>')
  })

  test('reports the selected folder without IDLE, and fetches what is new', async () => {
    const anna = await ground.address()
    const play = openTranscript(ground, anna)
    await play.play(`
      C: a1 select inbox
      S: ...
      S: a1 OK <*>
      C: a2 notify set (selected (MessageNew (uid rfc822.size) MessageExpunge FlagChange))
      S: a2 OK <*>
    `)
    const { messageId } = await ground.add(anna)
    await play.play('S: * 1 EXISTS\nS: * 1 RECENT\nS: * 1 FETCH (UID 1 RFC822.SIZE <*>)')
    await ground.database.tx((tx) =>
      changeKeywords(tx, { addressId: anna.id, messageIds: [messageId], add: ['$flagged'] }),
    )
    await play.play('S: * 1 FETCH (FLAGS (\\Flagged \\Recent))')
    await play.play(`
      C2: b1 select inbox
      S2: ...
      S2: b1 OK <*>
      C2: b2 store 1 +flags.silent \\Deleted
      S2: b2 OK <*>
      S: * 1 FETCH (FLAGS (<*>\\Deleted<*>))
      C2: b3 expunge
      S2: * 1 EXPUNGE
      S2: b3 OK <*>
      S: * 1 EXPUNGE
    `)
  })

  test('with SELECTED-DELAYED nothing is expunged while no command runs', async () => {
    const anna = await ground.address()
    await ground.add(anna)
    const play = openTranscript(ground, anna)
    await play.play(`
      C: a1 select inbox
      S: ...
      S: a1 OK <*>
      C: a2 notify set (selected-delayed (MessageNew MessageExpunge))
      S: a2 OK <*>
      C2: b1 select inbox
      S2: ...
      S2: b1 OK <*>
      C2: b2 store 1 +flags.silent \\Deleted
      S2: b2 OK <*>
      C2: b3 expunge
      S2: * 1 EXPUNGE
      S2: b3 OK <*>
    `)
    await ground.add(anna)
    await play.play('S: * 2 EXISTS\nS: * 2 RECENT\nC: a3 noop\nS: * 1 EXPUNGE\nS: a3 OK <*>')
  })

  test('reports folders that are created, renamed, subscribed to and deleted', async () => {
    const anna = await ground.address()
    const play = openTranscript(ground, anna)
    await play.play('C: a1 notify set (personal (MailboxName SubscriptionChange))\nS: a1 OK <*>')
    const addressId = anna.id
    const { id } = await ground.database.tx((tx) => createFolder(tx, { addressId, name: 'Roof' }))
    await play.play('S: * LIST (\\Subscribed) "/" Roof')
    await ground.database.tx((tx) => updateFolder(tx, { addressId, folderId: id, name: 'House' }))
    await play.play('S: * LIST (\\Subscribed) "/" House ("OLDNAME" (Roof))')
    await ground.database.tx((tx) => updateFolder(tx, { addressId, folderId: id, subscribed: false }))
    await play.play('S: * LIST () "/" House')
    await ground.database.tx((tx) => deleteFolder(tx, { addressId, folderId: id, messages: 'refuse', now: NOW }))
    await play.play('S: * LIST (\\NonExistent) "/" House')
  })

  test('what makes no sense is refused and changes nothing', async () => {
    const anna = await ground.address()
    await openTranscript(ground, anna).play(`
      C: a1 notify set (personal (MessageNew))
      S: a1 BAD <*>
      C: a2 notify set (personal (FlagChange))
      S: a2 BAD <*>
      C: a3 notify set (selected (MailboxName))
      S: a3 BAD <*>
      C: a4 notify set (personal (AnnotationChange))
      S: a4 NO [BADEVENT (MessageNew MessageExpunge FlagChange MailboxName SubscriptionChange)] <*>
      C: a5 notify set
      S: a5 BAD <*>
      C: a6 notify set (everywhere (MessageNew MessageExpunge))
      S: a6 BAD <*>
      C: a7 notify set (inboxes (MessageNew (flags) MessageExpunge))
      S: a7 BAD <*>
    `)
  })
})
