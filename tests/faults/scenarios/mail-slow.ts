import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { MAILBOX_PASSWORD } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { openClient } from '../../bench/imap/client.ts'
import { freePort } from '../../lib/free-port.ts'
import { type MailGround, openMailGround } from '../mail-ground.ts'
import { sendOne } from '../mail-load.ts'
import { call, type Report } from '../outcomes.ts'
import {
  againstSlow,
  keepWriting,
  openDripping,
  type Served,
  type Slow,
  slowHttp,
  timeRounds,
} from '../slow-clients.ts'

/** Somebody who has not signed in is let go after a minute, whatever they do; one who does not read, after another. */
const CLOSED_WITHIN_MS = 90_000
const LARGE_BYTES = 1_000_000
const LARGE_MESSAGES = 10

const kindsOf = ({ smtpPort: port, imapPort, service }: MailGround, httpsPort: number): Record<string, Slow> => ({
  silent: { port },
  'imaps silent': { port: imapPort },
  'https silent': { port: httpsPort },
  command: { port, drip: 'E' },
  message: {
    port,
    dialog: ['EHLO slow.test\r\n', 'MAIL FROM:<a@slow.test>\r\n', 'RCPT TO:<box0@hosted.test>\r\n', 'DATA\r\n'],
    drip: 'x',
  },
  ...slowHttp(service.url),
})

/**
 * Hundreds of slow clients at every port: some say nothing, some say a byte a second, some ask for much and read none of it.
 * Good clients notice nothing, memory stays, and the slow ones are let go.
 */
export const mailSlow = async ({ perKind = 300, readers = 50, rounds = 80 } = {}): Promise<Report> => {
  const httpsPort = await freePort()
  const ground = await openMailGround({ env: { MAX_MESSAGE_BYTES: '5000000', MAIL_HTTPS_PORT: String(httpsPort) } })
  await fillBox(ground)
  const { figures, broken } = await againstSlow({
    pid: ground.service.pid,
    openSlow: async () => ({
      ...(await openDripping(kindsOf(ground, httpsPort), perKind)),
      readers: await openReaders(ground, readers),
    }),
    serveGood: (count) => serveGood(ground, count),
    rounds,
    closedWithinMs: CLOSED_WITHIN_MS,
  })
  broken.push(...(await ground.close()))
  return { figures, broken }
}

const fillBox = async ({ smtpPort, boxes }: MailGround): Promise<void> => {
  for (let count = 0; count < LARGE_MESSAGES; count += 1) {
    const code = await sendOne(smtpPort, `large-${count}@outside.test`, boxes.emails[0] ?? '', LARGE_BYTES)
    if (code !== '250') throw new Error(`a large message was answered ${code}`)
  }
}

/** They ask for the whole folder, several times, and read none of it. */
const openReaders = (ground: MailGround, count: number): Promise<Socket[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const client = await openClient({ port: ground.imapPort, isTls: true })
      await client.say(`LOGIN ${ground.boxes.emails[at % 3]} "${MAILBOX_PASSWORD}"`).catch(() => client.close())
      if (client.socket.destroyed) return client.socket
      await client.say('SELECT INBOX')
      client.socket.pause()
      for (let nth = 0; nth < 5; nth += 1) client.socket.write(`f${nth} FETCH 1:* BODY.PEEK[]\r\n`)
      keepWriting(client.socket, '\r\n')
      return client.socket
    }),
  )

/** What good clients wait for: a message that they send, a folder that they open, a page. */
const serveGood = async ({ service, smtpPort, boxes, signIn }: MailGround, count: number): Promise<Served> => {
  const reader = await signIn(1)
  const served = await timeRounds(count, [
    async () =>
      assert.equal(await sendOne(smtpPort, `good-${Math.random()}@outside.test`, boxes.emails[1] ?? ''), '250'),
    async () => assert.equal(await reader.say('STATUS INBOX (MESSAGES)'), ''),
    async () => assert.equal((await call(`${service.url}/readyz`)).status, 200),
  ])
  reader.close()
  return served
}
