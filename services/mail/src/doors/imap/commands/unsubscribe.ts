import { defineCommand, ok } from '../command.ts'
import { findFolder } from '../folders.ts'
import { unsubscribe as unsubscribeFrom } from '../list/subscriptions.ts'

/** RFC 9051 §6.3.8: also from what is gone. */
export const unsubscribe = defineCommand<string>({
  name: 'UNSUBSCRIBE',
  states: ['signedIn', 'selected'],
  parse: (args) => args.mailbox(),
  async run(session, name) {
    await unsubscribeFrom(session, name, await findFolder(session, name))
    return ok('Unsubscribed')
  },
})
