import { listFolders } from '../../../store/store.ts'
import { CAPABILITIES, type JmapMethod } from '../method.ts'
import { changesAnswer, findChanges, readChanges } from '../standard/changes.ts'
import { getAnswer, readGet } from '../standard/get.ts'
import { stateOf } from '../standard/state.ts'
import { COUNT_PROPERTIES, MAILBOX_PROPERTIES, mailboxView } from './view.ts'

/** RFC 8621 §2.1. */
export const mailboxGet: JmapMethod = {
  name: 'Mailbox/get',
  capability: CAPABILITIES.mail,
  async run(call, args) {
    const request = await readGet(call, args, { defaults: MAILBOX_PROPERTIES })
    const { db } = call.parts.database
    const { addressId, viewerId } = request.access
    // Before the folders: what changes in between is reported again.
    const state = await stateOf(db, addressId)
    const folders = request.ids?.length === 0 ? [] : await listFolders(db, addressId, viewerId)
    const objects = new Map(folders.map((folder) => [folder.id, mailboxView(folder, request.access)]))
    return getAnswer(request, { state, objects })
  },
}

/** RFC 8621 §2.2. */
export const mailboxChanges: JmapMethod = {
  name: 'Mailbox/changes',
  capability: CAPABILITIES.mail,
  async run(call, args) {
    const request = await readChanges(call, args)
    const changes = await findChanges(call.parts.database.db, request, ['folder', 'folder_counts'])
    const areCounts = changes.updatedKinds.length > 0 && changes.updatedKinds.every((kind) => kind === 'folder_counts')
    return { ...changesAnswer(request, changes), updatedProperties: areCounts ? COUNT_PROPERTIES : null }
  },
}
