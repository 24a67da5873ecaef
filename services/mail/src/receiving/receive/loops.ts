import { headerText, type Part } from '../../formats/mime/mime.ts'

/** RFC 5321 §6.3 suggests more; mail that needs as many as this does not exist, and Postfix draws the same line. */
export const MAX_HOPS = 50

/** A message that went through so many hosts is going in circles. */
export const hopsOf = (root: Part): number => root.fields.filter(({ name }) => name === 'received').length

/** True when the message says that it was in this mailbox before. */
export const wasDeliveredTo = (root: Part, bytes: Buffer, email: string): boolean =>
  root.fields.some(
    (field) =>
      (field.name === 'delivered-to' || field.name === 'x-sieve-redirected-from') &&
      headerText(bytes, field).trim().toLowerCase() === email,
  )
