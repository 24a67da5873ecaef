import { type ChangeCursor, type MailDb, readMailbox } from '../../../store/store.ts'
import { failMethod } from '../method.ts'

/**
 * A state of any type is how far its mailbox was: the modseq, and the object after which a list of changes goes on when
 * one transaction changed more objects than fit into an answer.
 */
export const stateText = ({ modseq, objectId }: ChangeCursor): string =>
  objectId === null ? String(modseq) : `${modseq}-${objectId}`

const STATE = /^(\d{1,15})(?:-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}))?$/

/** `cannotCalculateChanges` for what we never gave. */
export const parseState = (text: string): ChangeCursor => {
  const [, modseq, objectId = null] = STATE.exec(text) ?? []
  if (modseq === undefined) return failMethod('cannotCalculateChanges', 'Unknown state.')
  return { modseq: Number(modseq), objectId }
}

/** The present state of all types of a mailbox. */
export const stateOf = async (db: MailDb, addressId: string): Promise<string> =>
  String((await readMailbox(db, addressId)).modseq)
