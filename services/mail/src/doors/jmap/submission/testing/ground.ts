import assert from 'node:assert/strict'
import { createTestClock } from '@stoa/kit/clock.ts'
import { startFakeDns } from '@stoa/tests/lib/fake-dns.ts'
import { startFakeSmtp } from '@stoa/tests/lib/fake-smtp.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { resolveRecipient } from '../../../../hosting/addresses/routing.ts'
import { startQueue } from '../../../../sending/queue/queue.ts'
import { testParts } from '../../../../sending/queue/testing/parts.ts'
import { submissionHooks } from '../../../../sending/submission/outcomes.ts'
import type { MailOptions } from '../../../../store/testing/ground.ts'
import { startJmap } from '../../testing/ground.ts'

export const START = new Date('2026-03-01T12:00:00.000Z')

export type SendingGround = Awaited<ReturnType<typeof startSending>>

/** A JMAP server, a queue that reports delivery results to it, and another mail host: that of elsewhere.org. */
export const startSending = async () => {
  const clock = createTestClock(START)
  const ground = await startJmap({ clock, env: { MAX_MESSAGE_BYTES: '100000' } })
  const { ann } = ground
  const dns = await startFakeDns()
  const smtp = await startFakeSmtp()
  dns.set('elsewhere.org', 'MX', [{ exchange: 'mx.elsewhere.org', preference: 10 }])
  dns.set('mx.elsewhere.org', 'A', [smtp.host])
  const { database, blobs, bus, log, hosting } = ground.parts
  const queue = startQueue(
    testParts(
      { database, blobs, bus, clock, log, dnsAddress: dns.address, port: smtp.port },
      { ...submissionHooks, resolveRecipient: (recipient) => resolveRecipient(database.db, hosting, recipient) },
    ),
  )
  const { accountId } = ann
  const identityId: string = (await ann.client.one('Identity/get', { accountId, ids: null })).list[0].id
  const set = (args: object) => ann.client.one('EmailSubmission/set', { accountId, ...args })
  const get = async (id: string) => (await ann.client.one('EmailSubmission/get', { accountId, ids: [id] })).list[0]
  return {
    ground,
    ann,
    clock,
    smtp,
    identityId,
    set,
    get,
    async draft(fields: MailOptions = {}): Promise<string> {
      const added = await ground.add(ann, {
        from: 'Ann <ann@example.test>',
        to: 'You <you@elsewhere.org>',
        folderIds: [ann.folders.drafts],
        keywords: ['$draft', '$seen'],
        ...fields,
      })
      return added.messageId
    },
    stateNow: async (): Promise<string> => (await ann.client.one('EmailSubmission/get', { accountId, ids: [] })).state,
    /** Sends a message; gives the new submission. */
    async send(emailId: string, more: object = {}) {
      const { created, notCreated } = await set({ create: { s: { identityId, emailId, ...more } } })
      assert.equal(notCreated, null)
      return created.s
    },
    /** The submission once nothing of it is in the queue. */
    async settled(id: string) {
      await until(async () => {
        const { deliveryStatus } = await get(id)
        return Object.values(deliveryStatus).every((each) => (each as { delivered: string }).delivered !== 'queued')
      }, 'a delivery')
      return get(id)
    },
    async close() {
      await queue.stop()
      await smtp.close()
      await dns.close()
      await ground.close()
    },
  }
}

/** An envelope from Ann; `parameters` are those of MAIL. */
export const envelopeTo = (emails: readonly string[], parameters: object | null = null, from = 'ann@example.test') => ({
  envelope: {
    mailFrom: { email: from, parameters },
    rcptTo: emails.map((email) => ({ email, parameters: null })),
  },
})

export const rawMail = (header: string, body = 'Text\r\n'): string => `${header}\r\n\r\n${body}`
