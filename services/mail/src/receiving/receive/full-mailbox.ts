/** A full mailbox defers mail: the sender tries again, and its owner has time to make room. */
export const MAILBOX_FULL = { kind: 'failed', code: 452, status: '4.2.2', text: 'The mailbox is full' } as const

/** Before a message is sent: whether one of the announced size can go in. Zero, when no size was announced, must not be full. */
export const hasRoomFor = (
  { quotaBytes, usedBytes }: { quotaBytes: number | null; usedBytes: number },
  size: number,
): boolean => quotaBytes === null || (usedBytes < quotaBytes && usedBytes + size <= quotaBytes)
