import { setTimeout as sleep } from 'node:timers/promises'
import { connectImap, type ImapClient } from '@stoa/mail/doors/imap/testing/client.ts'
import { MAILBOX_PASSWORD } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { connectSmtp } from '../../lib/smtp-client.ts'

/** Someone's mail program at work, again and again. What the service confirmed stands in `acknowledged`. */
export type ClientLoad = { readonly acknowledged: ReadonlySet<string>; stop(): Promise<void> }

const AFTER_FAILURE_MS = 300

/** Does the work so often, one after the other; a failure is nobody's promise broken, and it goes on. */
const keepDoing = (perSecond: number, work: (number: number) => Promise<void>) => {
  let isStopped = false
  const run = async () => {
    for (let number = 0; !isStopped; number += 1) {
      const isDone = await work(number).then(
        () => true,
        () => false,
      )
      await sleep(isDone ? 1_000 / perSecond : AFTER_FAILURE_MS)
    }
  }
  const running = run()
  return async () => {
    isStopped = true
    await running
  }
}

type Options = { port: number; email: string; perSecond: number; name: string }

/** Sends mail to others. Each message is tried once: nobody but the service sends it a second time. */
export const startSending = ({ port, email, perSecond, name }: Options): ClientLoad => {
  const acknowledged = new Set<string>()
  const stop = keepDoing(perSecond, async (number) => {
    const id = `${name}-${number}@hosted.test`
    const client = await connectSmtp({ port, tls: true })
    try {
      await client.say('EHLO laptop.local')
      const plain = Buffer.from(`\0${email}\0${MAILBOX_PASSWORD}`).toString('base64')
      await expectCode(client.say(`AUTH PLAIN ${plain}`), 235)
      await expectCode(client.mail({ from: email, to: ['someone@outside.test'] }, messageOf(email, id)), 250)
      acknowledged.add(id)
    } finally {
      client.close()
    }
  })
  return { acknowledged, stop }
}

const expectCode = async (reply: Promise<{ code: number; text: string }>, code: number): Promise<void> => {
  const { code: given, text } = await reply
  if (given !== code) throw new Error(text)
}

/** Appends messages to a folder, and flags each of them with a command of its own. */
export const startAppending = (options: Options): ClientLoad & { readonly flagged: ReadonlySet<string> } => {
  const acknowledged = new Set<string>()
  const flagged = new Set<string>()
  let client: ImapClient | null = null
  const append = async (number: number) => {
    client ??= await signIn(options)
    const id = `${options.name}-${number}@hosted.test`
    const message = messageOf(options.email, id)
    const { tagged } = await client.say([`APPEND INBOX {${message.length}}`, message])
    const uid = /^OK \[APPENDUID \d+ (\d+)\]/.exec(tagged)?.[1]
    if (!uid) throw new Error(tagged)
    acknowledged.add(id)
    await client.ok(`UID STORE ${uid} +FLAGS (\\Flagged)`)
    flagged.add(id)
  }
  const stop = keepDoing(options.perSecond, (number) =>
    append(number).catch((error: unknown) => {
      client?.close()
      client = null
      throw error
    }),
  )
  return {
    acknowledged,
    flagged,
    async stop() {
      await stop()
      client?.close()
    },
  }
}

const signIn = async ({ port, email }: Options): Promise<ImapClient> => {
  const client = await connectImap({ port, isTls: true })
  await client.ok(`LOGIN ${email} "${MAILBOX_PASSWORD}"`)
  await client.ok('SELECT INBOX')
  return client
}

const messageOf = (email: string, id: string): string =>
  [
    `From: ${email}`,
    'To: someone@outside.test',
    `Subject: ${id}`,
    `Message-ID: <${id}>`,
    'Date: Sun, 01 Mar 2026 12:00:00 +0000',
    '',
    'A few words, and no more.',
    '',
  ].join('\r\n')
