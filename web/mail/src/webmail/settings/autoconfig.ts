/** A server that a mail app connects to. */
export type MailServer = {
  kind: 'imap' | 'pop3' | 'smtp'
  host: string
  port: string
  security: 'TLS' | 'STARTTLS'
}

export type ClientSetup = { servers: readonly MailServer[]; jmapUrl: string | null }

const KINDS: ReadonlySet<string> = new Set(['imap', 'pop3', 'smtp'])
const isKind = (value: string | null): value is MailServer['kind'] => value !== null && KINDS.has(value)

/** The settings that the service publishes for mail apps (draft-ietf-mailmaint-autoconfig), best ones first. */
export const readClientSetup = (document: Document): ClientSetup => {
  const elements = [...document.querySelectorAll('incomingServer, outgoingServer')]
  const servers = elements.flatMap((element): MailServer[] => {
    const kind = element.getAttribute('type')
    if (!isKind(kind)) return []
    const text = (name: string) => element.querySelector(name)?.textContent ?? ''
    return [
      {
        kind,
        host: text('hostname'),
        port: text('port'),
        security: text('socketType') === 'SSL' ? 'TLS' : 'STARTTLS',
      },
    ]
  })
  const jmap = elements.find((element) => element.getAttribute('type') === 'jmap')
  return { servers, jmapUrl: jmap?.querySelector('url')?.textContent ?? null }
}
