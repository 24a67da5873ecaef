import { COMMANDS } from './commands/index.ts'
import type { ImapSession } from './session.ts'

/** What the server offers at this moment (RFC 9051 §6.1.1): what belongs to no command, and what the commands bring. */
export const capabilities = (session: ImapSession): string[] => {
  const brought = [...COMMANDS.values()].flatMap((command) => command.capabilities?.(session) ?? [])
  if (session.state !== 'start') return [...REVISIONS, ...EVERYWHERE, ...brought]
  // Before TLS a password would be read by everybody on the way (RFC 9051 §11.4).
  const signIn = session.connection.isSecure ? ['AUTH=PLAIN', 'AUTH=LOGIN', 'AUTH=OAUTHBEARER'] : ['LOGINDISABLED']
  return [...REVISIONS, 'LITERAL-', ...brought, ...signIn]
}

const REVISIONS = ['IMAP4rev2', 'IMAP4rev1']

/** Extensions that change many commands; RFC numbers are in docs/rfc.md. */
const EVERYWHERE = ['LITERAL+', 'CONDSTORE', 'QRESYNC', 'OBJECTID', 'UTF8=ACCEPT']
