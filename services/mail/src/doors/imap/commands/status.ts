import { afterSignIn, defineCommand, ok } from '../command.ts'
import { enableCondstore } from '../fetch-response/condstore.ts'
import { findFolder, NO_SUCH_FOLDER } from '../folders.ts'
import { readStatusItems, type StatusItem, statusLines } from '../list/status.ts'

/** RFC 9051 §6.3.11. */
export const status = defineCommand<{ name: string; items: StatusItem[] }>({
  name: 'STATUS',
  states: ['signedIn', 'selected'],
  capabilities: afterSignIn('STATUS=SIZE'),
  parse(args) {
    const name = args.mailbox()
    args.space()
    return { name, items: readStatusItems(args) }
  },
  async run(session, { name, items }) {
    const found = await findFolder(session, name)
    const lines = found ? await statusLines(session, [found], items) : null
    const line = lines?.get(found?.folder.id ?? '')
    if (line === undefined) return NO_SUCH_FOLDER
    if (items.includes('HIGHESTMODSEQ')) await enableCondstore(session)
    await session.out.untagged(line)
    return ok('Status completed')
  },
})
