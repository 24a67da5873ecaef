import type { Acme } from '../config/acme.ts'
import { createEgress, type Egress } from '../egress/egress.ts'

/**
 * The way to a certificate authority. One that the operator chose may be inside: it alone, and nothing that its answers
 * lead to.
 */
export const authorityEgress = ({ directory, isOwnDirectory }: Acme, trustedCa?: readonly string[]): Egress => {
  const { hostname, port } = new URL(directory)
  return createEgress({
    ports: [443],
    ...(isOwnDirectory && { privateHosts: [`${hostname}:${port || 443}`] }),
    ...(trustedCa && { trustedCa }),
  })
}
