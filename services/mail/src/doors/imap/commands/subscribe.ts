import { defineCommand, ok } from '../command.ts'
import { findFolder, NO_SUCH_FOLDER } from '../folders.ts'
import { subscribe as subscribeTo } from '../list/subscriptions.ts'

/** RFC 9051 §6.3.7: only to what is there. */
export const subscribe = defineCommand<string>({
  name: 'SUBSCRIBE',
  states: ['signedIn', 'selected'],
  parse: (args) => args.mailbox(),
  async run(session, name) {
    const found = await findFolder(session, name)
    if (!found) return NO_SUCH_FOLDER
    await subscribeTo(session, found)
    return ok('Subscribed')
  },
})
