import { isUuid } from '@stoa/kit/ids.ts'

/** True for what the id of a message or a mailbox can be: ids are compared letter by letter, UUIDs are not. */
export const isObjectId = (id: string): boolean => isUuid(id) && id === id.toLowerCase()
