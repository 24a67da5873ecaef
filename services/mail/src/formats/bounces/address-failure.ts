/** RFC 3463 §3.2 and §3.5: no such mailbox, domain or host. Never what is about the sender, reputation or content. */
const ADDRESS_STATUSES = new Set(['5.1.0', '5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1', '5.4.4'])
/** What hosts without enhanced codes say of a recipient that is not there (RFC 5321 §4.3.2). */
const ADDRESS_CODES = new Set([550, 551, 553])

/** Whether a permanent refusal is about the address itself, and so a reason to suppress it. */
export const isAddressFailure = ({ code, status }: { code: number | null; status: string | null }): boolean =>
  status === null ? code !== null && ADDRESS_CODES.has(code) : ADDRESS_STATUSES.has(status)
