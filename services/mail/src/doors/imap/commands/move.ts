import { copyUidCode, moveFromView } from '../append/copy-move.ts'
import { afterSignIn, defineCommand, no, ok } from '../command.ts'
import { findFolder, READ_ONLY, TRY_CREATE } from '../folders.ts'
import type { SequenceSet } from '../parse/sequence-set.ts'

/** MOVE and UID MOVE (RFC 9051 §6.4.8). What is gone is reported after the command, as to all other sessions. */
export const move = defineCommand<{ readonly set: SequenceSet; readonly name: string }>({
  name: 'MOVE',
  states: ['selected'],
  capabilities: afterSignIn('MOVE'),
  takesUid: true,
  parse(args) {
    const set = args.sequenceSet()
    args.space()
    return { set, name: args.mailbox() }
  },
  async run(session, { set, name }, { isUid }) {
    const { view } = session
    if (!view || view.isReadOnly) return READ_ONLY
    if (!view.access.mayWrite) return no('This folder is read-only', 'NOPERM')
    const uids = view.resolve(set, isUid)
    const to = await findFolder(session, name)
    if (!to) return TRY_CREATE
    if (!to.access.mayWrite) return no('That folder is read-only', 'NOPERM')
    // RFC 9051 §6.4.8: before the messages go.
    const moved = await moveFromView(session, view, { uids, to }, (done) =>
      session.out.untagged(`OK [${copyUidCode(to, done)}] Moved`),
    )
    if (moved === 0 && uids.length > 0 && !isUid) return no('The messages no longer exist', 'EXPUNGEISSUED')
    return ok('Moved')
  },
})
