import type { Config } from '../config.ts'

/** A door as clients reach it. */
export type ClientServer = {
  readonly protocol: 'imap' | 'pop3' | 'smtp'
  readonly host: string
  readonly port: number
  /** TLS from the first byte, or after STARTTLS. */
  readonly security: 'tls' | 'starttls'
}

export type SetupConfig = Pick<Config, 'hostname' | 'publicUrl' | 'publicPorts'>

/** The doors that are open, the better one of each kind first. RFC 8314 §3: TLS from the first byte. */
export const clientServers = ({ hostname: host, publicPorts }: SetupConfig): ClientServer[] => {
  const doors = [
    { protocol: 'imap', port: publicPorts.imapsPort, security: 'tls' },
    { protocol: 'imap', port: publicPorts.imapPort, security: 'starttls' },
    { protocol: 'pop3', port: publicPorts.pop3sPort, security: 'tls' },
    { protocol: 'pop3', port: publicPorts.pop3Port, security: 'starttls' },
    { protocol: 'smtp', port: publicPorts.submissionsPort, security: 'tls' },
    { protocol: 'smtp', port: publicPorts.submissionPort, security: 'starttls' },
  ] as const
  return doors.filter(({ port }) => port !== 0).map((door) => ({ ...door, host }))
}

/** The best door of a protocol. */
export const bestServer = (config: SetupConfig, protocol: ClientServer['protocol']): ClientServer | undefined =>
  clientServers(config).find((server) => server.protocol === protocol)

/** The JMAP session, where passwords may be sent to it: over TLS, or within this machine. */
export const jmapUrl = ({ publicUrl }: SetupConfig): string | null => {
  const url = new URL('/.well-known/jmap', publicUrl)
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname) || url.hostname.endsWith('.localhost')
  return url.protocol === 'https:' || isLocal ? url.href : null
}
