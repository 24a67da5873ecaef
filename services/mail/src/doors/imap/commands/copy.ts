import { copyFromView, copyUidCode } from '../append/copy-move.ts'
import { defineCommand, no, ok } from '../command.ts'
import { findFolder, TRY_CREATE } from '../folders.ts'
import type { SequenceSet } from '../parse/sequence-set.ts'

/** COPY and UID COPY (RFC 9051 §6.4.7). */
export const copy = defineCommand<{ readonly set: SequenceSet; readonly name: string }>({
  name: 'COPY',
  states: ['selected'],
  takesUid: true,
  holdsExpunges: ({ isUid }) => !isUid,
  parse(args) {
    const set = args.sequenceSet()
    args.space()
    return { set, name: args.mailbox() }
  },
  async run(session, { set, name }, { isUid }) {
    const { view } = session
    if (!view) return no('Select a folder first')
    const uids = view.resolve(set, isUid)
    const to = await findFolder(session, name)
    if (!to) return TRY_CREATE
    if (!to.access.mayWrite) return no('That folder is read-only', 'NOPERM')
    const done = await copyFromView(session, view, { uids, to })
    if (done.length === 0)
      return uids.length > 0 && !isUid ? no('The messages no longer exist', 'EXPUNGEISSUED') : ok('No messages copied')
    return ok('Copied', copyUidCode(to, done))
  },
})
