import { DELIMITER } from '../../../store/store.ts'
import { mailboxName } from '../format.ts'
import type { ImapSession } from '../session.ts'
import type { ListArguments } from './options.ts'
import type { Shown } from './select.ts'
import { specialUseOf } from './special-use.ts'

/** `LIST (\HasNoChildren) "/" name` (RFC 9051 §7.3.1). */
export const formatList = (
  session: ImapSession,
  { mailbox, childInfo }: Shown,
  { selection, returns, isExtended }: ListArguments,
): string => {
  const showsSubscribed = selection.subscribed || returns.subscribed
  const attributes = [
    ...(mailbox.found ? [] : isExtended ? ['\\NonExistent'] : ['\\Noselect', '\\NonExistent']),
    ...(showsSubscribed && mailbox.isSubscribed ? ['\\Subscribed'] : []),
    mailbox.hasChildren ? '\\HasChildren' : '\\HasNoChildren',
    specialUseOf(mailbox) ?? [],
  ].flat()
  const extended = childInfo.length > 0 ? ` ("CHILDINFO" (${childInfo.map((word) => `"${word}"`).join(' ')}))` : ''
  return `LIST (${attributes.join(' ')}) "${DELIMITER}" ${mailboxName(session, mailbox.name)}${extended}`
}

/** RFC 9051 §6.3.9: an empty pattern asks for the delimiter, and for the root of the reference. */
export const formatRoot = (session: ImapSession, root: string): string =>
  `LIST (\\Noselect) "${DELIMITER}" ${mailboxName(session, root)}`
