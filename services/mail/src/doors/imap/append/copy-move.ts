import { quotaOf } from '../../../hosting/plans/plans.ts'
import {
  copyMessages,
  copyToMailbox,
  listEntries,
  type MailTx,
  moveUids,
  openMailbox,
  removeRows,
} from '../../../store/store.ts'
import type { FoundFolder } from '../folders.ts'
import { formatNumbers } from '../parse/sequence-set.ts'
import type { ImapSession } from '../session.ts'
import type { FolderView } from '../view.ts'

export type TransferRequest = {
  readonly uids: readonly number[]
  readonly to: FoundFolder
}

/** Which UID became which (RFC 9051 §7.1, COPYUID); both in order. */
export type TransferredUid = { readonly uid: number; readonly newUid: number }

/** Messages per statement, and per transaction of a MOVE: other writers to the mailbox wait for it. */
const BATCH = 1_000

/** Copies messages of the selected folder: all, or none if it is refused (RFC 9051 §6.4.7). */
export const copyFromView = (
  { parts }: ImapSession,
  view: FolderView,
  { uids, to }: TransferRequest,
): Promise<TransferredUid[]> =>
  parts.database.tx(async (tx) => {
    const done: TransferredUid[] = []
    for (let at = 0; at < uids.length; at += BATCH)
      done.push(
        ...(await transfer(tx, { view, uids: uids.slice(at, at + BATCH), to, isMove: false, now: parts.clock.now() })),
      )
    return done
  })

/**
 * Moves messages of the selected folder, some at a time: each is in one folder or in the other (RFC 9051 §6.4.8). `onMoved`
 * gets all that were moved, also when the rest was refused.
 */
export const moveFromView = async (
  { parts }: ImapSession,
  view: FolderView,
  { uids, to }: TransferRequest,
  onMoved: (done: readonly TransferredUid[]) => Promise<void>,
): Promise<number> => {
  const done: TransferredUid[] = []
  try {
    for (let at = 0; at < uids.length; at += BATCH) {
      const batch = { view, uids: uids.slice(at, at + BATCH), to, isMove: true, now: parts.clock.now() }
      done.push(...(await parts.database.tx((tx) => transfer(tx, batch))))
    }
  } finally {
    if (done.length > 0) await onMoved(done)
  }
  return done.length
}

/** `COPYUID 38505 304,319:320 3956:3958` */
export const copyUidCode = ({ folder }: FoundFolder, uids: readonly TransferredUid[]): string =>
  `COPYUID ${folder.uidValidity} ${formatNumbers(uids.map(({ uid }) => uid))} ${formatNumbers(uids.map(({ newUid }) => newUid))}`

type Batch = TransferRequest & { view: FolderView; isMove: boolean; now: Date }
type Charged = Batch & { quotaBytes: number | null }

const transfer = async (tx: MailTx, batch: Batch): Promise<TransferredUid[]> => {
  const [from, to] = [batch.view.access.addressId, batch.to.access.addressId]
  // In one order, so that two that go opposite ways do not wait for each other.
  if (from !== to && batch.isMove) for (const id of [from, to].sort()) await openMailbox(tx, id)
  const charged = { ...batch, quotaBytes: await quotaOf(tx, to) }
  return from === to ? transferInside(tx, charged) : transferAcross(tx, charged)
}

const transferInside = async (tx: MailTx, { view, uids, to, isMove, quotaBytes, now }: Charged) => {
  const { addressId } = view.access
  const input = { addressId, folderId: view.folder.id, uids, toFolderId: to.folder.id, quotaBytes, now }
  return (await (isMove ? moveUids(tx, input) : copyMessages(tx, input))).uids
}

const transferAcross = async (
  tx: MailTx,
  { view, uids, to, isMove, quotaBytes, now }: Charged,
): Promise<TransferredUid[]> => {
  const { addressId, viewerId } = view.access
  const folderId = view.folder.id
  const range = { fromUid: uids[0] ?? 0, toUid: uids.at(-1) ?? 0, uids }
  const rows = await listEntries(tx, { addressId, viewerId, folderId, ...range })
  const copied = await copyToMailbox(tx, {
    from: { addressId, viewerId },
    to: to.access,
    messages: rows.map(({ messageId }) => ({ messageId, folderIds: [to.folder.id] })),
    quotaBytes,
    now,
  })
  if (isMove) await removeRows(tx, { addressId, folderId, rows, now })
  const newUids = new Map(copied.map(({ messageId, uids: made }) => [messageId, made[0]?.uid]))
  return rows.flatMap(({ uid, messageId }) => {
    const newUid = newUids.get(messageId)
    return newUid === undefined ? [] : [{ uid, newUid }]
  })
}
