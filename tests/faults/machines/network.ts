import { execFileSync } from 'node:child_process'
import { startTcpProxy } from '../../lib/tcp-proxy.ts'
import { deliverPackets, type LinkEnd, losePackets } from '../lost-packets.ts'

export type LinkName = 'clients' | 'database' | 'objects'

/** Where a machine stands in the network: how it is reached, what it reaches, and which of its links can be cut. */
export type MachineNetwork = {
  /** How others reach its ports. */
  readonly host: string
  /** Put before a command, it runs there. */
  readonly prefix: readonly string[]
  readonly links: readonly LinkName[]
  /** The address at which the machine finds a server on a link of its own. The server listens on all addresses. */
  reach(link: LinkName, port: number): Promise<{ host: string; port: number }>
  /** Half-open: packets are dropped silently. */
  cut(link: LinkName): void
  restore(link: LinkName): void
  close(): Promise<void>
}

const LINKS: readonly LinkName[] = ['clients', 'database', 'objects']

/** With root on Linux, a network of its own for each machine; otherwise they share loopback, with proxies for the links. */
export const openNetwork = async (number: number): Promise<MachineNetwork> =>
  canHaveNamespaces() ? namespaceNetwork(number) : loopbackNetwork()

const canHaveNamespaces = (): boolean => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  try {
    ip('netns', 'list')
    return true
  } catch {
    return false
  }
}

const ip = (...args: string[]): string =>
  execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

/** A namespace and a pair of interfaces for each link: ours is .1, the machine's .2. */
const namespaceNetwork = (number: number): MachineNetwork => {
  const name = `stoa${process.pid}-${number}`
  const network = (link: LinkName) => `10.${64 + (process.pid % 128)}.${number * 10 + LINKS.indexOf(link)}`
  const ours = (link: LinkName) => `s${process.pid}${link[0]}${number}`
  const theirs = (link: LinkName) => `${link}0`
  const inside = (...args: string[]) => ip('netns', 'exec', name, 'ip', ...args)
  const ends = (link: LinkName): LinkEnd[] => [
    { device: ours(link), peer: `${network(link)}.2` },
    { device: theirs(link), peer: `${network(link)}.1`, namespace: name },
  ]
  ip('netns', 'add', name)
  inside('link', 'set', 'lo', 'up')
  for (const link of LINKS) {
    ip('link', 'add', ours(link), 'type', 'veth', 'peer', 'name', theirs(link), 'netns', name)
    ip('addr', 'add', `${network(link)}.1/24`, 'dev', ours(link))
    ip('link', 'set', ours(link), 'up')
    inside('addr', 'add', `${network(link)}.2/24`, 'dev', theirs(link))
    inside('link', 'set', theirs(link), 'up')
  }
  const remove = () => {
    for (const link of LINKS) ip('link', 'del', ours(link))
    ip('netns', 'del', name)
  }
  process.once('exit', remove)
  return {
    host: `${network('clients')}.2`,
    prefix: ['ip', 'netns', 'exec', name],
    links: LINKS,
    reach: async (link, port) => ({ host: `${network(link)}.1`, port }),
    cut: (link) => losePackets(ends(link)),
    restore: (link) => deliverPackets(ends(link)),
    async close() {
      process.off('exit', remove)
      remove()
    },
  }
}

const loopbackNetwork = (): MachineNetwork => {
  const proxies = new Map<LinkName, Awaited<ReturnType<typeof startTcpProxy>>[]>()
  const each = (link: LinkName) => proxies.get(link) ?? []
  return {
    host: '127.0.0.1',
    prefix: [],
    links: ['database', 'objects'],
    async reach(link, port) {
      const proxy = await startTcpProxy({ host: '127.0.0.1', port })
      proxies.set(link, [...each(link), proxy])
      return { host: '127.0.0.1', port: proxy.port }
    },
    cut(link) {
      for (const proxy of each(link)) proxy.freeze()
    },
    restore(link) {
      for (const proxy of each(link)) proxy.thaw()
    },
    async close() {
      for (const proxy of [...proxies.values()].flat()) await proxy.close()
    },
  }
}
