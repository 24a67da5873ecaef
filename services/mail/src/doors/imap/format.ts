import { formatImap } from '../../formats/mime/mime.ts'
import { encodeMailboxName } from './parse/mailbox-name.ts'
import { type ImapSession, isUtf8 } from './session.ts'

/** A string or NIL: quoted where that is allowed, otherwise a literal (RFC 9051 §4.3). */
export const nstring = (session: ImapSession, text: string | null): string =>
  formatImap(text, { utf8: isUtf8(session) })

/** An atom where it can be one, otherwise a string. */
export const astring = (session: ImapSession, text: string): string =>
  /^[!#$&'+,\-./0-9:;<=>?@A-Z[\]^_`a-z|}~]+$/.test(text) && text.toUpperCase() !== 'NIL' ? text : nstring(session, text)

/** The name of a folder as this client writes it. */
export const mailboxName = (session: ImapSession, name: string): string =>
  astring(session, encodeMailboxName(name, { isUtf8: isUtf8(session) }))
