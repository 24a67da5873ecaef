import { after, before, describe, test } from 'node:test'
import { type ImapGround, startImapGround } from '../testing/ground.ts'
import { openTranscript } from '../testing/transcript.ts'

let ground: ImapGround
before(async () => {
  ground = await startImapGround()
})
after(() => ground.close())

const SIMPLE = 'Subject: One\r\n\r\nHello\r\n'

/** Somebody with these messages in the inbox. */
const having = async (...raws: string[]) => {
  const address = await ground.address()
  for (const raw of raws) await ground.add(address, { raw })
  return { address, transcript: openTranscript(ground, address) }
}

describe('FETCH of what changes', () => {
  test('returns modification sequences once they are requested', async () => {
    const { transcript } = await having(SIMPLE, SIMPLE)
    await transcript.play(`
      C: a1 select inbox
      S: ...
      S: a1 OK <*>
      C: a2 fetch 1 (uid modseq)
      S: * OK [HIGHESTMODSEQ <*>
      S: * 1 FETCH (UID 1 MODSEQ (<one>))
      S: a2 OK <*>
      C: a3 fetch 2 (flags)
      S: * 2 FETCH (FLAGS <*> MODSEQ (<two>))
      S: a3 OK <*>
      C: a4 uid fetch 1:* (flags) (changedsince <one>)
      S: * 2 FETCH (UID 2 FLAGS <*> MODSEQ (<two>))
      S: a4 OK <*>
      C: a5 fetch 1:* flags (changedsince <two>)
      S: a5 OK <*>
      C: a6 uid fetch 1:* flags (changedsince 1 vanished)
      S: a6 BAD <*>
      C: a7 fetch 1:* flags (changedsince 0)
      S: a7 BAD <*>
    `)
  })

  test('reports what vanished since, of what was requested', async () => {
    const { transcript } = await having(SIMPLE, SIMPLE, SIMPLE, SIMPLE)
    await transcript.play(`
      C: a0 enable qresync
      S: * ENABLED QRESYNC
      S: a0 OK <*>
      C: a1 select inbox
      S: ...
      S: a1 OK <*>
      C: a2 uid fetch 4 (modseq)
      S: * 4 FETCH (UID 4 MODSEQ (<then>))
      S: a2 OK <*>
      C: a3 uid store 1:2,4 +flags.silent (\\Deleted)
      S: * 1 FETCH (UID 1 MODSEQ (<now>))
      S: * 2 FETCH (UID 2 MODSEQ (<now>))
      S: * 4 FETCH (UID 4 MODSEQ (<now>))
      S: a3 OK <*>
      C: a4 uid expunge 1:2
      S: * VANISHED 1:2
      S: a4 OK <*>
      C: a5 uid fetch 2:* (flags) (changedsince <then> vanished)
      S: * VANISHED (EARLIER) 2
      S: * 2 FETCH (UID 4 FLAGS (\\Deleted<*>) MODSEQ (<now>))
      S: a5 OK <*>
    `)
  })

  test('what vanished is reported as far as it is known when changes were forgotten', async () => {
    const { transcript, address } = await having(SIMPLE, SIMPLE, SIMPLE, SIMPLE, SIMPLE)
    await transcript.play(`
      C: a0 enable qresync
      S: * ENABLED QRESYNC
      S: a0 OK <*>
      C: a1 select inbox
      S: ...
      S: a1 OK <*>
      C: a2 store 2:3 +flags.silent (\\Deleted)
      S: ...
      S: a2 OK <*>
      C: a3 expunge
      S: * VANISHED 2:3
      S: a3 OK <*>`)
    await ground.database.pool.query('update mailbox set floor = modseq - 1 where address_id = $1', [address.id])
    await transcript.play(`
      C: a4 uid fetch 3:* (uid) (changedsince 2 vanished)
      S: * VANISHED (EARLIER) 3
      S: * 2 FETCH (UID 4 MODSEQ (<*>))
      S: * 3 FETCH (UID 5 MODSEQ (<*>))
      S: a4 OK <*>`)
  })

  test('numbers that are not there are wrong, UIDs that are not there are none', async () => {
    const { transcript } = await having(SIMPLE)
    await transcript.play(`
      C: a1 select inbox
      S: ...
      S: a1 OK <*>
      C: a2 fetch 2 flags
      S: a2 BAD <*>
      C: a3 uid fetch 2,7 flags
      S: a3 OK <*>
      C: a4 uid fetch 9:* uid
      S: * 1 FETCH (UID 1)
      S: a4 OK <*>
      C: a5 fetch 1 (nonsense)
      S: a5 BAD <*>
      C: a6 fetch 1 body[1
      S: a6 BAD <*>
    `)
  })

  test('messages that somebody else expunged are reported as gone', async () => {
    const { transcript } = await having(SIMPLE, SIMPLE)
    await transcript.play(`
      C: a1 select inbox
      S: ...
      S: a1 OK <*>
      C2: b1 select inbox
      S2: ...
      S2: b1 OK <*>
      C2: b2 store 1 +flags.silent (\\Deleted)
      S2: b2 OK <*>
      C2: b3 expunge
      S2: * 1 EXPUNGE
      S2: b3 OK <*>
      C: a2 fetch 1:2 (flags)
      S: * 2 FETCH (FLAGS <*>
      S: a2 NO [EXPUNGEISSUED] <*>
      C: a3 fetch 1:2 (uid)
      S: * 1 FETCH (UID 1)
      S: * 2 FETCH (UID 2)
      S: a3 OK <*>
      C: a4 noop
      S: * 1 EXPUNGE
      S: a4 OK <*>
    `)
  })
})
