import { hasCondstore, type ImapSession } from '../session.ts'

/** RFC 7162 §3.1: FETCH and STORE that use modification sequences switch CONDSTORE on for the rest of the session. */
export const enableCondstore = async (session: ImapSession): Promise<void> => {
  if (hasCondstore(session)) return
  session.enabled.add('CONDSTORE')
  if (session.view) await session.out.untagged(`OK [HIGHESTMODSEQ ${session.view.modseq}] CONDSTORE is enabled`)
}
