import { afterSignIn, defineCommand, no, ok } from '../command.ts'
import { nameOf } from '../folders.ts'
import { folderTargetOf, makeNew, reportName } from '../list/changes.ts'
import { roleOfUse } from '../list/special-use.ts'

/** RFC 9051 §6.3.4, with RFC 6154 and 8474. */
export const create = defineCommand<{ name: string; uses: string[] }>({
  name: 'CREATE',
  states: ['signedIn', 'selected'],
  capabilities: afterSignIn('CREATE-SPECIAL-USE'),
  parse(args) {
    const name = args.mailbox()
    const uses: string[] = []
    if (args.take(' '))
      args.list(() => {
        args.expect('USE')
        args.space()
        uses.push(...args.flagList())
      })
    return { name, uses }
  },
  async run(session, { name, uses }) {
    const [role = null] = uses.map(roleOfUse)
    // RFC 6154 §3: a folder has one use here, and most are taken from the beginning.
    if (uses.length > 1 || (uses.length === 1 && role === null)) return no('Unsupported special use', 'USEATTR')
    const target = await folderTargetOf(session, name)
    if ('status' in target) return target
    const folder = await session.parts.database.tx((tx) => makeNew(tx, target, role))
    const made = nameOf({ access: target.access, folder })
    if (made !== name) await reportName(session, made, name)
    return ok('Folder created', `MAILBOXID (${folder.id})`)
  },
})
