import { lookup, Resolver } from 'node:dns/promises'

/** Gives every address of a name. Empty when the name or its addresses do not exist; throws when it could not ask. */
export type Resolve = (name: string) => Promise<string[]>

/**
 * Asks DNS servers (`host:port`, the system's when empty) for A and AAAA records. Runs on sockets, so that slow
 * foreign name servers cannot fill the thread pool that files and password hashes need.
 */
export const dnsResolve = (servers: readonly string[] = []): Resolve => {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES })
  if (servers.length > 0) resolver.setServers(servers)
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses
    for (const answer of answers) {
      if (answer.status === 'rejected' && !isAbsent(answer.reason)) throw answer.reason
    }
    return []
  }
}

/** The operating system's own lookup, with its hosts file and search list: for operators' private networks. */
export const systemResolve: Resolve = async (name) => {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address)
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}

/** RFC 6761 §6.3: these names are loopback, and no server is asked. */
export const isLocalhostName = (name: string): boolean => /(^|\.)localhost$/i.test(name)

/** Names that are never public: without a dot, or under the suffixes of local networks (RFC 6762, RFC 8375, ICANN). */
export const isInnerName = (hostname: string): boolean => {
  const name = hostname.replace(/\.$/, '')
  return !name.includes('.') || isLocalhostName(name) || /\.(local|internal|home\.arpa)$/i.test(name)
}

export const LOCALHOST_ADDRESSES = ['127.0.0.1', '::1']

/** Two tries fit into the ten seconds a whole request may take. */
const QUERY_TIMEOUT_MS = 2_000
const QUERY_TRIES = 2

const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA')
