import { SESSION_COOKIE, WEBMAIL_COOKIE } from '@stoa/mail/hosting/access/access.ts'
import { MAILBOX_PASSWORD, type PlantedAddress, plantAddress } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import type { Page } from 'playwright-core'
import type { Visit } from '../lib/browser.ts'
import { type FakeSmtp, startFakeSmtp } from '../lib/fake-smtp.ts'
import { freePort } from '../lib/free-port.ts'
import { type MailClient, type MailService, startMail } from '../lib/mail.ts'
import { connectSmtp } from '../lib/smtp-client.ts'
import { fits } from './page.ts'

/** A customer of the service, signed in to the panel. */
export type Customer = { client: MailClient; email: string; id: string }
/** A mailbox of a customer, with its owner signed in to the webmail. */
export type Mailbox = { address: PlantedAddress; client: MailClient }

export type MailSite = MailService & {
  /** Where everything goes that leaves for other hosts. */
  outside: FakeSmtp
  /** Where other hosts bring mail. */
  smtpPort: number
  /** Sends a message to the service as another host does, through SMTP; fails unless it is taken. */
  deliver(envelope: { from: string; to: readonly string[] }, message: string | Buffer): Promise<void>
  /** A mailbox with its verified domain, in this account. */
  mailbox(accountId: string, email: string): Promise<Mailbox>
}

/** The whole service on a running clock: HTTP, SMTP from outside, the queue with a relay that takes everything. */
export const startMailSite = async (env: Record<string, string> = {}): Promise<MailSite> => {
  const outside = await startFakeSmtp({ tls: 'none' })
  const smtpPort = await freePort()
  const service = await startMail({
    isLive: true,
    env: {
      MAIL_ROLES: 'http,smtp,worker',
      SMTP_PORT: String(smtpPort),
      SUBMISSION_PORT: '0',
      SUBMISSIONS_PORT: '0',
      RELAY_URL: `smtp://${outside.host}:${outside.port}`,
      OUTBOUND_ALLOW_PRIVATE: 'true',
      LIMIT_EXEMPT: '127.0.0.0/8',
      ...env,
    },
  })
  return {
    ...service,
    outside,
    smtpPort,
    async deliver(envelope, message) {
      const client = await connectSmtp({ port: smtpPort })
      await client.say('EHLO outside.test')
      const answer = await client.mail(envelope, message)
      client.close()
      if (answer.code !== 250) throw new Error(`not taken: ${answer.text}`)
    },
    async mailbox(accountId, email) {
      const address = await plantAddress(service.database, email, { accountId, now: service.clock.now() })
      const client = service.client()
      const answer = await client.post('/api/mail/login', { email, password: MAILBOX_PASSWORD })
      if (answer.status !== 200) throw new Error(`no sign-in to ${email}: ${answer.text}`)
      return { address, client }
    },
    async close() {
      await service.close()
      await outside.close()
    },
  }
}

/** Goes to a screen of the panel as this customer, without the way through the sign-in. */
export const enterPanel = async (
  visit: Pick<Visit, 'page' | 'context'>,
  { url }: MailService,
  { client }: Pick<Customer, 'client'>,
  path: string,
) => {
  await visit.context.addCookies([{ name: SESSION_COOKIE, value: client.cookie ?? '', url }])
  await visit.page.goto(url + path)
}

/** A tab of a screen of the panel that was looked at: what is around it has not changed. */
export const lookAtTab = async (visit: Visit, name: string): Promise<void> => {
  await visit.axe('[role=tabpanel][data-state=active]')
  await fits(visit, name)
}

/** Goes to a screen of the webmail as the owner of this mailbox; `/inbox` is the first. */
export const enterWebmail = async (
  visit: Pick<Visit, 'page' | 'context'>,
  { url }: MailService,
  { client }: Pick<Mailbox, 'client'>,
  path = '/inbox',
) => {
  await visit.context.addCookies([{ name: WEBMAIL_COOKIE, value: client.webmailCookie ?? '', url }])
  await visit.page.goto(`${url}/webmail${path}`)
}

/** A plain message as another mail program writes it. */
export const letter = (members: Record<string, string>, text = 'Good day.\r\n'): string =>
  [
    ...Object.entries({
      From: 'Ann Outside <ann@outside.test>',
      Subject: 'Hello',
      Date: new Date().toUTCString().replace('GMT', '+0000'),
      'Message-ID': `<${crypto.randomUUID()}@outside.test>`,
      ...members,
    }).map(([name, value]) => `${name}: ${value}`),
    '',
    text,
  ].join('\r\n')

/** What a page asks of the API from now on. */
export const apiCalls = (page: Page): string[] => {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/')) asked.push(`${request.method()} ${pathname}${search}`)
  })
  return asked
}
