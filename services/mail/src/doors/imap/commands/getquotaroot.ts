import { defineCommand, ok } from '../command.ts'
import { findFolder, NO_SUCH_FOLDER, nameOf } from '../folders.ts'
import { astring, mailboxName } from '../format.ts'
import { quotaLine } from '../list/quota.ts'

/** RFC 9208 §4.3. */
export const getquotaroot = defineCommand<string>({
  name: 'GETQUOTAROOT',
  states: ['signedIn', 'selected'],
  parse: (args) => args.mailbox(),
  async run(session, name) {
    const found = await findFolder(session, name)
    if (!found) return NO_SUCH_FOLDER
    const line = await quotaLine(session, found.access)
    const root = line === null ? '' : ` ${astring(session, found.access.email)}`
    await session.out.untagged(`QUOTAROOT ${mailboxName(session, nameOf(found))}${root}`)
    if (line !== null) await session.out.untagged(line)
    return ok('Quota root completed')
  },
})
