import { afterSignIn, defineCommand, no, ok } from '../command.ts'
import { expungeDeleted } from '../expunging.ts'
import { READ_ONLY } from '../folders.ts'
import { hasCondstore } from '../session.ts'

/** EXPUNGE and UID EXPUNGE (RFC 9051 §6.4.3, §6.4.9). What is gone is reported after the command, as to all other sessions. */
export const expunge = defineCommand({
  name: 'EXPUNGE',
  states: ['selected'],
  capabilities: afterSignIn('UIDPLUS'),
  takesUid: true,
  parse: (args, _session, { isUid }) => (isUid ? args.sequenceSet() : null),
  async run(session, set) {
    const { view } = session
    if (!view || view.isReadOnly) return READ_ONLY
    if (!view.access.mayWrite) return no('This folder is read-only', 'NOPERM')
    const { modseq } = await expungeDeleted(session, view, set && view.resolve(set, true))
    return ok('Expunged', modseq !== null && hasCondstore(session) ? `HIGHESTMODSEQ ${modseq}` : undefined)
  },
})
