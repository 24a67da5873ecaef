import type { Change } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { ChangeTable } from '../../tables/store.ts'
import { FOLDER_ROLES, ROLE_FOLDERS } from '../folders/folder-roles.ts'
import type { MailDb, MailTx } from '../handles.ts'
import { refuse } from '../refusal.ts'
import { chargeMailbox, findMailbox, insertMailbox, type MailboxState } from './mailbox-queries.ts'

export type ChangeKind = ChangeTable['kind']

/** A mailbox that this transaction writes to. Nobody else writes to it before the transaction ends. */
export type MailboxWrite = {
  readonly addressId: string
  /** The modseq of everything that this transaction changes in the mailbox. */
  readonly modseq: number
  /** Publishes what changed once the transaction has committed. */
  notify(...kinds: ChangeKind[]): void
}

/** A mailbox with its seven folders, for an address that has none yet. */
export const createMailbox = async (
  tx: MailTx,
  { addressId, now }: { addressId: string; now: Date },
): Promise<void> => {
  await insertMailbox(tx, {
    addressId,
    // RFC 9051 §2.3.1.1: greater than any that an earlier mailbox of this name had.
    firstUidValidity: Math.floor(now.getTime() / 1000),
    folders: FOLDER_ROLES.map((role, position) => ({ id: newId(), name: ROLE_FOLDERS[role], role, position })),
  })
}

/**
 * Takes the next modseq of the mailbox and keeps it locked. Everything that one transaction does to a mailbox has the
 * same modseq: a second call gives what the first one did.
 */
export const openMailbox = (tx: MailTx, addressId: string): Promise<MailboxWrite> =>
  chargedMailbox(tx, addressId, { bytes: 0, messages: 0, limit: null })

export type RoomCharge = { bytes: number; messages: number; limit: number | null }

/** Like `openMailbox`, for a write that takes or frees room; `over_quota` if there is not enough. */
export const chargedMailbox = async (tx: MailTx, addressId: string, charge: RoomCharge): Promise<MailboxWrite> => {
  const open = openMailboxes(tx)
  const known = open.get(addressId)
  if (known && charge.bytes === 0 && charge.messages === 0) return known
  const row = await chargeMailbox(tx, addressId, { ...charge, takesModseq: !known })
  if (!row) return refuseCharge(tx, addressId)
  if (known) return known
  const made = startWriting(tx, addressId, row.modseq)
  open.set(addressId, made)
  return made
}

/** Whether the transaction has taken a modseq of the mailbox. */
export const isOpen = (tx: MailTx, addressId: string): boolean => openMailboxes(tx).has(addressId)

/** Later changes of the transaction get another modseq, as if they were in another one. */
export const endStep = (tx: MailTx): void => void opened.delete(tx)

/** How far a mailbox is, and how much it holds. */
export const readMailbox = async (db: MailDb, addressId: string): Promise<MailboxState> =>
  (await findMailbox(db, addressId)) ?? refuse('no_such_folder', 'the mailbox does not exist')

/** The mailbox that a change of the bus is about. */
export const mailboxOf = ({ topic, data }: Change): string | null =>
  topic === 'mailbox' && typeof data.addressId === 'string' ? data.addressId : null

const opened = new WeakMap<MailTx, Map<string, MailboxWrite>>()

const openMailboxes = (tx: MailTx): Map<string, MailboxWrite> => {
  const known = opened.get(tx)
  if (known) return known
  const made = new Map<string, MailboxWrite>()
  opened.set(tx, made)
  return made
}

const refuseCharge = async (tx: MailTx, addressId: string): Promise<never> => {
  await readMailbox(tx, addressId)
  return refuse('over_quota', 'the mailbox is full')
}

const startWriting = (tx: MailTx, addressId: string, modseq: number): MailboxWrite => {
  const kinds: ChangeKind[] = []
  return {
    addressId,
    modseq,
    notify: (...added) => {
      if (kinds.length === 0)
        tx.changes.push({ topic: 'mailbox', event: 'changed', data: { addressId, modseq, kinds } })
      for (const kind of added) if (!kinds.includes(kind)) kinds.push(kind)
    },
  }
}
