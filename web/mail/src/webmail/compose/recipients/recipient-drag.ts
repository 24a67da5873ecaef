import { editLetter } from '../windows.ts'
import { addRecipients, RECIPIENT_FIELDS, type RecipientField, sameAddress } from './recipients.ts'

/** A recipient that is dragged to another field, by its address. */
export const DRAG_TYPE = 'application/x-stoa-recipient'

export const moveRecipient = (windowId: string, email: string, field: RecipientField): void =>
  editLetter(windowId, (letter) => {
    const found = RECIPIENT_FIELDS.flatMap((name) => letter[name]).find((one) => sameAddress(one.email, email))
    if (!found) return {}
    const without = (name: RecipientField) => letter[name].filter((one) => !sameAddress(one.email, email))
    const next = { to: without('to'), cc: without('cc'), bcc: without('bcc') }
    return { ...next, [field]: addRecipients(letter[field], [found]) }
  })
