import { hashPassword } from '@stoa/kit/crypto/password.ts'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { migrate } from '@stoa/kit/db/migrate.ts'
import { newId } from '@stoa/kit/ids.ts'
import { migrationsFolder } from '@stoa/mail/app.ts'
import { createMailbox } from '@stoa/mail/store/mailbox/mailbox.ts'
import { addMessage } from '@stoa/mail/store/messages/messages.ts'
import { readMessage } from '@stoa/mail/store/messages/read.ts'
import type { Tables } from '@stoa/mail/tables.ts'
import { durableDatabase } from '../durable.ts'
import { log, makeMailbox, NOW, type Seeded, type SeededMailbox } from '../store/seed.ts'

export const PASSWORD = 'the pass phrase of a bench'

export type ImapSeed = Seeded & { url: string }
export type Person = SeededMailbox & { email: string }

export const openImapGround = async (): Promise<ImapSeed> => {
  const own = await durableDatabase()
  await migrate(own.url, migrationsFolder, log)
  const database = openDatabase<Tables>({ url: own.url, poolSize: 4, log, statementTimeoutMs: 600_000 })
  return {
    url: own.url,
    database,
    async close() {
      await database.close()
      await own.drop()
    },
  }
}

let passwordHash: Promise<string> | undefined

/** A mailbox that somebody can sign in to. */
export const makePerson = async (ground: ImapSeed): Promise<Person> => {
  const mailbox = await makeMailbox(ground)
  const email = `x@${mailbox.addressId}.test`
  passwordHash ??= hashPassword(PASSWORD)
  await ground.database.pool.query('update domain set verified_at = now() where id = $1', [mailbox.addressId])
  await ground.database.pool.query('update address set password_hash = $2, email = $3 where id = $1', [
    mailbox.addressId,
    await passwordHash,
    email,
  ])
  return { ...mailbox, email }
}

/** Many addresses of one domain, each with an empty mailbox; their e-mails. */
export const makePeople = async (ground: ImapSeed, count: number): Promise<string[]> => {
  const first = await makePerson(ground)
  const domain = first.email.slice(2)
  const emails = Array.from({ length: count }, (_, n) => `p${n}@${domain}`)
  for (const email of emails) {
    const id = newId()
    await ground.database.tx(async (tx) => {
      await tx.query({
        text: `insert into address (id, account_id, domain_id, local_part, email, password_hash, created_at, updated_at)
          select $1, account_id, domain_id, $3, $4, password_hash, now(), now() from address where id = $2`,
        values: [id, first.addressId, email.split('@')[0], email],
      })
      await createMailbox(tx, { addressId: id, now: NOW })
    })
  }
  return emails
}

/** Two kilobytes of words that hardly any other message has. */
export const letter = (number: number): string => {
  const words = Array.from({ length: 300 }, (_, n) => ((number * 7_919 + n * 104_729) % 50_021).toString(36))
  return `From: ann@example.org\r\nTo: bob@example.test\r\nSubject: Letter ${number}\r\n\r\n${words.join(' ')}\r\nnumber${number}end\r\n`
}

/** A delivery, as any other process makes it. */
export const deliver = ({ database }: Seeded, { addressId, inboxId }: SeededMailbox, number: number) => {
  const bytes = Buffer.from(letter(number))
  return database.tx((tx) =>
    addMessage(tx, {
      addressId,
      blob: { key: number.toString(16).padStart(64, 'f'), size: bytes.length },
      prefix: Buffer.alloc(0),
      read: readMessage(bytes),
      folderIds: [inboxId],
      keywords: [],
      receivedAt: NOW,
      now: NOW,
      quotaBytes: null,
    }),
  )
}
