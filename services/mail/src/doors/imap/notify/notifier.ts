import { confirmAccess } from '../confirm-access.ts'
import { fetchMessages } from '../fetch-response/fetch.ts'
import type { ImapSession, Notifier } from '../session.ts'
import { eventsOf, folderNews, type KnownFolder, readFolders, statusLine } from './folders.ts'
import type { NotifyArguments, NotifyEvents, NotifyGroup } from './parse.ts'

type Selected = { readonly events: NotifyEvents; readonly isDelayed: boolean }

/** Begins to notify a client of what it asked for; with `wantsStatus` also of the current state of the folders. */
export const startNotifier = async (
  session: ImapSession,
  { groups, wantsStatus }: Extract<NotifyArguments, { kind: 'set' }>,
): Promise<Notifier> => {
  const selected = selectedOf(groups)
  const isAboutOthers = groups.some(({ filter }) => filter.kind !== 'selected')
  const accesses = await session.accesses()
  const known = new Map<string, Map<string, KnownFolder>>()
  const changed = new Set<string>()
  const stops = accesses.map(({ addressId }) =>
    session.door.wakeups.watch(addressId, () => {
      changed.add(addressId)
      session.connection.wake()
    }),
  )
  for (const access of isAboutOthers ? accesses : []) known.set(access.addressId, await readFolders(session, access))
  if (wantsStatus)
    for (const folders of known.values())
      for (const folder of folders.values()) await reportStatus(session, groups, folder)

  const reportOthers = async (): Promise<void> => {
    const addressIds = [...changed]
    changed.clear()
    for (const access of (await session.accesses()).filter(({ addressId }) => addressIds.includes(addressId))) {
      const now = await readFolders(session, access)
      const lines = folderNews(session, groups, known.get(access.addressId) ?? new Map(), now)
      known.set(access.addressId, now)
      for (const line of lines) await session.out.untagged(line)
    }
  }
  return {
    async report(options) {
      await confirmAccess(session)
      await reportSelected(session, selected, options ?? null)
      if (!isAboutOthers) changed.clear()
      else if (changed.size > 0) await reportOthers()
    },
    close() {
      for (const stop of stops) stop()
    },
  }
}

const selectedOf = (groups: readonly NotifyGroup[]): Selected | null => {
  for (const { filter, events } of groups)
    if (filter.kind === 'selected') return { events, isDelayed: filter.isDelayed }
  return null
}

const reportStatus = async (
  session: ImapSession,
  groups: readonly NotifyGroup[],
  folder: KnownFolder,
): Promise<void> => {
  const events = eventsOf(groups, folder)
  const isSelected = session.view?.folder.id === folder.found.folder.id
  if (events?.messages && !isSelected) await session.out.untagged(statusLine(session, events, folder))
}

/**
 * After a command everything about the selected folder may be reported that is not muted; while none runs only what was asked
 * for, and with SELECTED-DELAYED nothing that changes sequence numbers (RFC 5465 §6.2).
 */
const reportSelected = async (
  session: ImapSession,
  selected: Selected | null,
  afterCommand: { mayExpunge: boolean } | null,
): Promise<void> => {
  const { view } = session
  if (!view || (!afterCommand && !selected?.events.messages)) return
  const mayExpunge = afterCommand ? afterCommand.mayExpunge : !selected?.isDelayed
  if (!view.isBehind({ mayExpunge })) return
  const last = view.uids.last
  await view.sync({ mayExpunge, mutesFlags: selected?.events.messages === true && !selected.events.flags })
  const items = selected?.events.newItems ?? []
  const uids = items.length > 0 ? view.uids.between(last + 1, view.uids.last) : []
  if (uids.length > 0) await fetchMessages(session, view, { items, uids, changedSince: 0, isUid: true })
}
