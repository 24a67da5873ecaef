import { BlockList, isIPv4, isIPv6 } from 'node:net'
import type { Cidr } from '@stoa/kit/http/client-address.ts'

/** Whether an address is in one of these networks. */
export const membersOf = (ranges: readonly Cidr[]): ((ip: string) => boolean) => {
  const list = new BlockList()
  for (const [address, bits] of ranges) list.addSubnet(address.toString(), bits, address.kind())
  return (ip) => (isIPv4(ip) && list.check(ip, 'ipv4')) || (isIPv6(ip) && list.check(ip, 'ipv6'))
}
