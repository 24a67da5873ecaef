import type { ImapSession } from './session.ts'

/** What every session has, whoever it is. */
const ALWAYS = ['IMAP4rev2', 'IMAP4rev1', 'SASL-IR', 'ID', 'ENABLE'] as const

/** What is there after sign-in: RFC numbers are in docs/rfc.md. */
const SIGNED_IN = [
  'LITERAL+',
  'IDLE',
  'NAMESPACE',
  'UNSELECT',
  'UIDPLUS',
  'MOVE',
  'CHILDREN',
  'SPECIAL-USE',
  'CREATE-SPECIAL-USE',
  'LIST-EXTENDED',
  'LIST-STATUS',
  'STATUS=SIZE',
  'CONDSTORE',
  'QRESYNC',
  'ESEARCH',
  'SEARCHRES',
  'CONTEXT=SEARCH',
  'PARTIAL',
  'SORT',
  'SORT=DISPLAY',
  'ESORT',
  'THREAD=REFERENCES',
  'THREAD=ORDEREDSUBJECT',
  'WITHIN',
  'BINARY',
  'CATENATE',
  'MULTIAPPEND',
  'OBJECTID',
  'PREVIEW',
  'SAVEDATE',
  'REPLACE',
  'NOTIFY',
  'QUOTA',
  'QUOTA=RES-STORAGE',
  'UTF8=ACCEPT',
  'METADATA',
  'UNAUTHENTICATE',
  'JMAPACCESS',
] as const

/** What the server offers at this moment (RFC 9051 §6.1.1). */
export const capabilities = (session: ImapSession): string[] => {
  const { connection, parts, state } = session
  if (state !== 'start') {
    const compress = connection.isCompressed ? [] : ['COMPRESS=DEFLATE']
    return [...ALWAYS, ...SIGNED_IN, `APPENDLIMIT=${parts.config.maxMessageBytes}`, ...compress]
  }
  const startTls = connection.mayStartTls ? ['STARTTLS'] : []
  // Before TLS a password would be read by everybody on the way (RFC 9051 §11.4).
  const signIn = connection.isSecure ? ['AUTH=PLAIN', 'AUTH=LOGIN', 'AUTH=OAUTHBEARER'] : ['LOGINDISABLED']
  return [...ALWAYS, 'LITERAL-', ...startTls, ...signIn]
}
