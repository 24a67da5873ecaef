import type { ClientConfig } from '@stoa/mail-model/client-config.ts'
import { bestServer, type SetupConfig } from '../../config/servers.ts'

/** The doors as clients reach them, the best of each kind. */
export const clientConfigOf = (config: SetupConfig): ClientConfig => {
  const { hostname: host, publicUrl, publicPorts } = config
  const best = (protocol: 'imap' | 'pop3') => {
    const server = bestServer(config, protocol)
    return server ? door(host, server.port, server.security) : null
  }
  return {
    object: 'client_config',
    username: 'full email address',
    imap: best('imap'),
    pop3: best('pop3'),
    smtp: door(host, publicPorts.submissionsPort, 'tls'),
    submission: door(host, publicPorts.submissionPort, 'starttls'),
    managesieve: door(host, publicPorts.manageSievePort, 'starttls'),
    jmap: { url: new URL('/.well-known/jmap', publicUrl).href },
    webmail: { url: new URL('/webmail/', publicUrl).href },
    autoconfig: { url: new URL('/mail/config-v1.1.xml', publicUrl).href },
  }
}

const door = (host: string, port: number, security: 'tls' | 'starttls') =>
  port === 0 ? null : { host, port, security }
