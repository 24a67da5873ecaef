import { removeFolder } from '../../../store/store.ts'
import { defineCommand, ok } from '../command.ts'
import { findFolder, NO_SUCH_FOLDER } from '../folders.ts'
import { NO_PERMISSION } from '../list/changes.ts'
import { keepSubscription } from '../list/subscriptions.ts'
import { unselectFolder } from '../selecting.ts'

/** RFC 9051 §6.3.5: the messages go with the folder. */
export const deleteMailbox = defineCommand<string>({
  name: 'DELETE',
  states: ['signedIn', 'selected'],
  parse: (args) => args.mailbox(),
  async run(session, name) {
    const found = await findFolder(session, name)
    if (!found) return NO_SUCH_FOLDER
    const { access, folder } = found
    if (!access.mayManage) return NO_PERMISSION
    const { database, clock } = session.parts
    const input = { addressId: access.addressId, folderId: folder.id, now: clock.now() }
    await removeFolder(database, { ...input, messages: 'destroy' })
    await keepSubscription(session, found)
    if (session.view?.folder.id === folder.id) unselectFolder(session)
    return ok('Folder deleted')
  },
})
