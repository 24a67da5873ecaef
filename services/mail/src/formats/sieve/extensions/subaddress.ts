import { defineExtension, type SplitAddress } from '../define.ts'
import type { Run } from '../run-state.ts'

/** RFC 5233: `user+detail@example.com`. */
export const subaddress = defineExtension({
  name: 'subaddress',
  addressParts: {
    user: (address, run) => (address.domain === '' ? null : split(address, run).user),
    detail: (address, run) => (address.domain === '' ? null : split(address, run).detail),
  },
})

const split = ({ local }: SplitAddress, { chain }: Run): { user: string; detail: string | null } => {
  const separator = chain.environment.detailSeparator ?? '+'
  const at = local.indexOf(separator)
  if (at < 0) return { user: local, detail: null }
  return { user: local.slice(0, at), detail: local.slice(at + separator.length) }
}
