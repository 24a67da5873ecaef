import { setTimeout as sleep } from 'node:timers/promises'
import { type MailAnswer, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { Resend } from 'resend'
import { plantDomain } from '../../../hosting/addresses/testing/hosting.ts'

const PATIENCE_MS = 15_000

export type Sender = {
  accountId: string
  domainId: string
  domain: string
  token: string
  /** The unmodified client of the third-party API. */
  resend: Resend
  cookie: string
  send(body: unknown, headers?: Record<string, string>): Promise<MailAnswer>
  batch(body: unknown, headers?: Record<string, string>): Promise<MailAnswer>
  call(method: string, path: string, body?: unknown): Promise<MailAnswer>
  key(input: object): Promise<string>
}

/** The service with its queue, and accounts that send. */
export const openSending = async (env: Record<string, string>) => {
  const mail: MailService = await startMail({ env })
  let senders = 0

  /** An account with a domain that may send and a key with full access. */
  const sender = async (domain?: string): Promise<Sender> => {
    senders += 1
    const name = domain ?? `sender-${senders}.test`
    const { client, id } = await mail.signUp()
    const planted = await plantDomain(mail.database, { accountId: id, name, now: mail.clock.now() })
    const key = async (input: object): Promise<string> => {
      const answer = await client.post('/api/api-keys', { name: 'test', ...input })
      if (answer.status !== 201) throw new Error(`no key: ${answer.text}`)
      return String(answer.body.token)
    }
    const token = await key({})
    const authorization = `Bearer ${token}`
    const plain = mail.client()
    return {
      accountId: id,
      domainId: planted.id,
      domain: name,
      token,
      resend: new Resend(token, { baseUrl: `${mail.url}/api` }),
      cookie: client.cookie ?? '',
      send: (body, headers = {}) => plain.post('/api/emails', body, { authorization, ...headers }),
      batch: (body, headers = {}) => plain.post('/api/emails/batch', body, { authorization, ...headers }),
      call: (method, path, body) =>
        plain.send(method, path, { headers: { authorization }, ...(body === undefined ? {} : { body }) }),
      key,
    }
  }

  const until = async <T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> => {
    const deadline = Date.now() + PATIENCE_MS
    for (;;) {
      const found = await look()
      if (found) return found
      if (Date.now() > deadline) throw new Error(`not in time: ${what}\n${mail.logs.slice(-3).join('')}`)
      await sleep(10)
    }
  }

  return {
    mail,
    sender,
    until,
    /** The mail as the API shows it, once it has this status. */
    settled: (from: Sender, id: string, status: string) =>
      until(`${id} is ${status}`, async () => {
        const { body } = await from.call('GET', `/api/emails/${id}`)
        return body.status === status ? body : undefined
      }),
    /** What the tables hold of an account: nothing of a refused mail may be there. */
    async counts(accountId: string) {
      const { rows } = await mail.database.pool.query(
        `select (select count(*)::int from email where account_id = $1) as emails,
                (select count(*)::int from queue_message where account_id = $1) as queued,
                (select coalesce(sum(recipients), 0)::int from sending_day where account_id = $1) as recipients,
                (select coalesce(sum(total), 0)::int from email_count where account_id = $1) as counted,
                (select count(*)::int from idempotency_key where account_id = $1) as answers`,
        [accountId],
      )
      return rows[0]
    },
  }
}

export type Ground = Awaited<ReturnType<typeof openSending>>
