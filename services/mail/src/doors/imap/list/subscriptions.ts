import { refuse, updateFolder } from '../../../store/store.ts'
import { type FoundFolder, nameOf } from '../folders.ts'
import type { ImapSession } from '../session.ts'
import { deleteSubscribedName, findSubscribedNames, insertSubscribedName } from './subscription-queries.ts'

/** The same limit as for folders. */
const MAX_NAMES = 2_000

/** The signed-in user; subscriptions are theirs, even for folders of others. */
const addressOf = ({ signIn }: ImapSession): string => {
  if (!signIn) throw new Error('nobody signed in')
  return signIn.address.id
}

/** Names of folders that are gone or belong to others; of one's own folders the folder knows. */
export const subscribedNames = (session: ImapSession): Promise<string[]> =>
  findSubscribedNames(session.parts.database.db, addressOf(session))

/** RFC 9051 §6.3.7 */
export const subscribe = async (session: ImapSession, found: FoundFolder): Promise<void> => {
  const { access, folder } = found
  await session.parts.database.tx(async (tx) => {
    if (access.viewerId !== null) return remember(tx, addressOf(session), nameOf(found))
    if (!folder.subscribed)
      await updateFolder(tx, { addressId: access.addressId, folderId: folder.id, subscribed: true })
  })
}

/** RFC 9051 §6.3.8; a name that is not subscribed to stays so. */
export const unsubscribe = async (session: ImapSession, name: string, found: FoundFolder | null): Promise<void> => {
  await session.parts.database.tx(async (tx) => {
    await deleteSubscribedName(tx, addressOf(session), found ? nameOf(found) : name.normalize('NFC'))
    if (found?.access.viewerId === null && found.folder.subscribed)
      await updateFolder(tx, { addressId: found.access.addressId, folderId: found.folder.id, subscribed: false })
  })
}

/** RFC 9051 §6.3.7: a subscription outlives the folder. */
export const keepSubscription = async (session: ImapSession, found: FoundFolder): Promise<void> => {
  if (found.access.viewerId !== null || !found.folder.subscribed) return
  await session.parts.database.tx((tx) => remember(tx, addressOf(session), nameOf(found)))
}

type Tx = Parameters<typeof deleteSubscribedName>[0]

const remember = async (tx: Tx, addressId: string, name: string): Promise<void> => {
  const fits = await insertSubscribedName(tx, { addressId, name, max: MAX_NAMES })
  if (!fits) refuse('too_many', 'too many subscriptions')
}
