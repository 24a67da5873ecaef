import type { Transporter } from 'nodemailer'
import type { Config } from '../../config.ts'
import type { Smtp } from '../../config-smtp.ts'
import type { Ctx } from '../../context.ts'

/** How long a mail server may take for one step, and for all of them: a person may be waiting for the answer. */
const STEP_MS = 5_000
const TOTAL_MS = 15_000

export type Mail = { to: string; subject: string; text: string }

export type Mailer = {
  /** Comes back once the mail server has taken the mail; otherwise throws `MailError`. */
  send(mail: Mail): Promise<void>
}

/** Why the mail server did not take a mail. It says nothing of the server's own words: they may repeat a password. */
export class MailError extends Error {
  /** The recipient or the mail itself was refused: trying again would end the same. */
  readonly isFinal: boolean
  constructor(code: string, responseCode: number | null) {
    super(`the mail server did not take the mail: ${[code, responseCode].filter((part) => part !== null).join(' ')}`)
    this.isFinal = (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode !== null && responseCode >= 500
  }
}

declare module '../../context.ts' {
  interface Ports {
    /** Null: nothing is mailed. */
    readonly mailer: Mailer | null
    /** Where the admin UI is. */
    readonly adminUrl: string
  }
}

export const openMailer = (
  { smtp, publicUrl }: Pick<Config, 'smtp' | 'publicUrl'>,
  adminBase: string,
): Pick<Ctx, 'mailer' | 'adminUrl'> => ({
  mailer: smtp && createMailer(smtp),
  adminUrl: publicUrl + adminBase,
})

/** The address of a screen with a token behind the hash: it is in no log and no Referer. */
export const linkTo = ({ adminUrl }: Pick<Ctx, 'adminUrl'>, screen: string, token: string): string =>
  `${adminUrl}/${screen}#token=${token}`

/** What mails are sent with is loaded with the first one: most services send none for days. */
const openTransport = async (smtp: Smtp): Promise<Transporter> => {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    host: smtp.host,
    port: smtp.port,
    secure: smtp.isImplicitTls,
    // On this machine nobody is in between: no TLS will do there, and so will a certificate of the server's own making.
    requireTLS: !smtp.isImplicitTls && !smtp.isLocal,
    tls: { rejectUnauthorized: !smtp.isLocal },
    ...(smtp.user !== null && { auth: { user: smtp.user, pass: smtp.password?.reveal() ?? '' } }),
    dnsTimeout: STEP_MS,
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

const createMailer = (smtp: Smtp): Mailer => {
  let transport: Promise<Transporter> | undefined
  return {
    async send({ to, subject, text }) {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new MailError('ETIMEDOUT', null)), TOTAL_MS)
      })
      const mail = {
        from: smtp.from,
        // An object is never parsed, so that a text with commas stays one address.
        to: { name: '', address: to },
        subject,
        text,
        // RFC 3834 §5: nobody's holiday notice answers it.
        headers: { 'Auto-Submitted': 'auto-generated' },
      }
      try {
        transport ??= openTransport(smtp)
        await Promise.race([(await transport).sendMail(mail), late])
      } catch (error) {
        throw error instanceof MailError ? error : toMailError(error)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

const toMailError = (error: unknown): MailError => {
  const { code, responseCode }: { code?: unknown; responseCode?: unknown } = Object(error)
  return new MailError(
    typeof code === 'string' ? code : 'EUNKNOWN',
    typeof responseCode === 'number' ? responseCode : null,
  )
}

/** What the site is called in mails and on its sign-in pages: its title, or its host while it has none. */
export const siteName = async ({ db, config }: Pick<Ctx, 'db' | 'config'>): Promise<string> => {
  const [row] = await db.query<{ title: string | null }>({
    name: 'site-title',
    text: `select settings->>'title' as title from site_settings`,
  })
  return row?.title || new URL(config.publicUrl).host
}
