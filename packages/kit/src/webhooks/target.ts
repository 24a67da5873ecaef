import type { Egress } from '../egress/egress.ts'
import { EgressFailed, EgressRefused, type RefusalReason } from '../egress/errors.ts'

export type TargetRefusal = Exclude<RefusalReason, 'no_address'>

export type CheckedTarget = { url: string } | { refused: TargetRefusal; cause: unknown }

/**
 * The address as it will be called, if events may be sent there. A name that nobody knows yet is taken, because a
 * website is often not there when its webhook is made; every attempt checks again whom the name stands for then.
 */
export const checkTarget = async (egress: Egress, text: string): Promise<CheckedTarget> => {
  try {
    return { url: (await egress.check(text)).url }
  } catch (error) {
    if (error instanceof EgressRefused && error.reason !== 'no_address') return { refused: error.reason, cause: error }
    if (!(error instanceof EgressRefused || error instanceof EgressFailed)) throw error
    const url = new URL(text)
    const isInner = !egress.allowPrivate && isInnerName(url.hostname)
    return isInner ? { refused: 'not_public', cause: error } : { url: url.href }
  }
}

/** Names that are never public: without a dot, or under the suffixes of local networks (RFC 6762, RFC 8375, ICANN). */
const isInnerName = (hostname: string): boolean => {
  const name = hostname.replace(/\.$/, '')
  return !name.includes('.') || /\.(local|internal|home\.arpa)$/.test(name)
}
