import type { PictureAttributes } from './nodes/picture.ts'

/** Pictures that are on their way to the library. The document holds their key in place of an address until then. */

const PREFIX = '#uploading-'

type Pending = { preview: string; done: PictureAttributes | null | undefined }

const pending = new Map<string, Pending>()
let last = 0

/** True for the address of a picture whose upload has not ended: it is not stored. */
export const isPending = (src: string): boolean => src.startsWith(PREFIX)

/** Takes a file and gives the address that stands for it in the document. */
export const addPending = (file: Blob): string => {
  last += 1
  const key = `${PREFIX}${last}`
  pending.set(key, { preview: URL.createObjectURL(file), done: undefined })
  return key
}

/** The preview to show until the upload has ended. */
export const previewOf = (key: string): string | null => pending.get(key)?.preview ?? null

/** The picture that it became, or null when it could not be stored. It may come back by undo, so it is remembered. */
export const settlePending = (key: string, picture: PictureAttributes | null): void => {
  const known = pending.get(key)
  if (!known) return
  URL.revokeObjectURL(known.preview)
  pending.set(key, { preview: '', done: picture })
}

/** Undefined while it is on its way; null when it failed, or is from an earlier visit. */
export const resultOf = (key: string): PictureAttributes | null | undefined => {
  const known = pending.get(key)
  return known ? known.done : null
}

export const hasPending = (): boolean => pending.size > 0
