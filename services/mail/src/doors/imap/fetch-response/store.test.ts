import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { getMessages } from '../../../store/messages/list.ts'
import { type ImapGround, startImapGround } from '../testing/ground.ts'
import { openTranscript } from '../testing/transcript.ts'

let ground: ImapGround
before(async () => {
  ground = await startImapGround()
})
after(() => ground.close())

const having = async (count: number) => {
  const address = await ground.address()
  const ids: string[] = []
  for (let at = 0; at < count; at += 1) ids.push((await ground.add(address)).messageId)
  const keywordsOf = async (at: number) =>
    (await getMessages(ground.database.db, address.id, [ids[at - 1] ?? '']))[0]?.keywords
  return { address, keywordsOf, transcript: openTranscript(ground, address) }
}
const SELECT = `
  C: s1 select inbox
  S: ...
  S: s1 OK <*>`

describe('STORE', () => {
  test('sets, adds and removes flags, and reports the new ones', async () => {
    const { transcript, keywordsOf, address } = await having(3)
    await transcript.play(`${SELECT}
      C: a1 store 1:2 flags (\\Seen $Forwarded)
      S: * 1 FETCH (FLAGS ($Forwarded \\Seen \\Recent))
      S: * 2 FETCH (FLAGS ($Forwarded \\Seen \\Recent))
      S: a1 OK <*>
      C: a2 store 2 +flags \\Flagged Work
      S: * 2 FETCH (FLAGS (\\Flagged $Forwarded \\Seen work \\Recent))
      S: a2 OK <*>
      C: a3 uid store 2 -flags (\\Seen \\Draft)
      S: * 2 FETCH (UID 2 FLAGS (\\Flagged $Forwarded work \\Recent))
      S: a3 OK <*>
      C: a4 store 1 flags.silent ()
      S: a4 OK <*>
      C: a5 fetch 1:3 flags
      S: * 1 FETCH (FLAGS (\\Recent))
      S: * 2 FETCH (FLAGS (\\Flagged $Forwarded work \\Recent))
      S: * 3 FETCH (FLAGS (\\Recent))
      S: a5 OK <*>
    `)
    assert.deepEqual(await keywordsOf(2), ['$flagged', '$forwarded', 'work'])
    await ground.check(address)
  })

  test('\\Deleted belongs to the message in this folder', async () => {
    const { transcript, address } = await having(1)
    await transcript.play(`${SELECT}
      C: a1 copy 1 Archive
      S: a1 OK <*>
      C: a2 store 1 +flags (\\Deleted \\Answered)
      S: * 1 FETCH (FLAGS (\\Answered \\Deleted \\Recent))
      S: a2 OK <*>
      C: a3 select Archive
      S: ...
      S: a3 OK <*>
      C: a4 fetch 1 flags
      S: * 1 FETCH (FLAGS (\\Answered \\Recent))
      S: a4 OK <*>
      C: a5 select inbox
      S: ...
      S: a5 OK <*>
      C: a6 store 1 flags (\\Answered)
      S: * 1 FETCH (FLAGS (\\Answered))
      S: a6 OK <*>
    `)
    await ground.check(address)
  })

  test('other sessions are notified, this one not twice', async () => {
    const { transcript } = await having(2)
    await transcript.play(`${SELECT}
      C2: b1 select inbox
      S2: ...
      S2: b1 OK <*>
      C: a1 store 1 +flags.silent (\\Seen)
      S: a1 OK <*>
      C: a2 noop
      S: a2 OK <*>
      C2: b2 noop
      S2: * 1 FETCH (FLAGS (\\Seen))
      S2: b2 OK <*>
      # What another session did is reported before this one's silence would hide it.
      C2: b3 store 2 +flags (\\Flagged)
      S2: * 2 FETCH (FLAGS (\\Flagged))
      S2: b3 OK <*>
      C: a3 store 2 +flags.silent (\\Answered)
      S: * 2 FETCH (FLAGS (\\Flagged \\Recent))
      S: a3 OK <*>
    `)
  })

  test('messages that changed since are left alone and named', async () => {
    const { transcript, keywordsOf } = await having(3)
    await transcript.play(`${SELECT}
      C: a1 fetch 3 modseq
      S: * OK [HIGHESTMODSEQ <*>
      S: * 3 FETCH (MODSEQ (<then>))
      S: a1 OK <*>
      C: a2 store 2 +flags.silent (\\Seen)
      S: * 2 FETCH (MODSEQ (<now>))
      S: a2 OK <*>
      C: a3 store 1:3 (unchangedsince <then>) +flags.silent (\\Flagged)
      S: * 1 FETCH (MODSEQ (<later>))
      S: * 3 FETCH (MODSEQ (<later>))
      S: a3 OK [MODIFIED 2] <*>
      C: a4 uid store 1:2 (unchangedsince 0) +flags (\\Answered)
      S: a4 OK [MODIFIED 1:2] <*>
      C: a5 uid store 2 (unchangedsince <now>) +flags (\\Answered)
      S: * 2 FETCH (UID 2 FLAGS (\\Answered \\Seen \\Recent) MODSEQ (<last>))
      S: a5 OK <*>
    `)
    assert.deepEqual(await keywordsOf(2), ['$answered', '$seen'])
    assert.deepEqual(await keywordsOf(1), ['$flagged'])
  })

  test('what cannot be set is refused, and nothing happens', async () => {
    const { transcript, keywordsOf } = await having(1)
    await transcript.play(`${SELECT}
      C: a1 store 1 +flags (\\Recent)
      S: a1 BAD <*>
      C: a2 store 1 +flags (\\Nonsense)
      S: a2 BAD <*>
      C: a3 store 1 flags
      S: a3 BAD <*>
      C: a4 store 2 flags (\\Seen)
      S: a4 BAD <*>
      C: a5 store 1 (nonsense 1) flags (\\Seen)
      S: a5 BAD <*>
      C: a6 uid store 77 flags (\\Seen)
      S: a6 OK <*>
      C: a7 store 1 +flags (${'k'.repeat(300)})
      S: a7 NO [CANNOT] <*>
      C: a8 examine inbox
      S: ...
      S: a8 OK <*>
      C: a9 store 1 +flags (\\Seen)
      S: a9 NO [READ-ONLY] <*>
    `)
    assert.deepEqual(await keywordsOf(1), [])
  })

  test('names of flags that objects have are flags like others', async () => {
    const { transcript } = await having(1)
    await transcript.play(`${SELECT}
      C: a1 store 1 +flags (constructor __proto__ toString)
      S: * 1 FETCH (FLAGS (__proto__ constructor tostring \\Recent))
      S: a1 OK <*>
    `)
  })

  test('thousands are stored in several transactions', async () => {
    const { transcript, address } = await having(1)
    const folderId = await ground.folderId(address)
    await ground.database.pool.query(
      `with m as (insert into message (address_id, id, thread_id, blob_key, size, structure, received_at, preview,
          has_attachment, envelope, from_sort, to_sort, subject_sort, created_modseq, modseq)
        select address_id, gen_random_uuid(), gen_random_uuid(), blob_key, size, structure, received_at, preview,
          has_attachment, envelope, '', '', '', 1, 1 from message, generate_series(1, 2500) where address_id = $1
        returning id),
      n as (select id, row_number() over () + 1 as uid from m)
      insert into message_folder (address_id, folder_id, uid, message_id, modseq, received_at, added_at)
      select $1, $2, uid, id, 1, now(), now() from n`,
      [address.id, folderId],
    )
    await ground.database.pool.query('update folder set uid_next = 2502, total = 2501, unread = 2501 where id = $1', [
      folderId,
    ])
    const client = await transcript.session()
    await client.ok('select inbox')
    const watch = ground.database.watchStatements()
    assert.equal((await client.ok('store 1:* +flags (\\Flagged)')).length, 2_501)
    watch.stop()
    assert.equal(watch.texts.filter((text) => text === 'commit').length, 3)
  })
})
