import { element, elementWith, type Markup, xmlDocument } from '@stoa/kit/xml-write.ts'
import { type ClientServer, clientServers, jmapUrl, type SetupConfig } from '../../config/servers.ts'

const USERNAME = element('username', '%EMAILADDRESS%')

/** Settings for clients that look for Mozilla's format (draft-ietf-mailmaint-autoconfig), best ones first. */
export const autoconfigDocument = (config: SetupConfig, domain: string): string => {
  const servers = clientServers(config)
  const incoming = servers.filter(({ protocol }) => protocol !== 'smtp')
  const outgoing = servers.filter(({ protocol }) => protocol === 'smtp')
  return xmlDocument(
    elementWith(
      'clientConfig',
      { version: '1.1' },
      elementWith(
        'emailProvider',
        { id: domain },
        element('domain', domain),
        element('displayName', `${domain} mail`),
        element('displayShortName', domain),
        ...jmapServer(config),
        ...incoming.map((server) => serverElement('incomingServer', server)),
        ...outgoing.map((server) => serverElement('outgoingServer', server)),
      ),
      element('webMail', elementWith('loginPage', { url: new URL('/webmail/', config.publicUrl).href })),
    ),
  )
}

const serverElement = (name: string, { protocol, host, port, security }: ClientServer): Markup =>
  elementWith(
    name,
    { type: protocol },
    element('hostname', host),
    element('port', port),
    element('socketType', security === 'tls' ? 'SSL' : 'STARTTLS'),
    element('authentication', 'password-cleartext'),
    USERNAME,
  )

const jmapServer = (config: SetupConfig): Markup[] => {
  const url = jmapUrl(config)
  if (url === null) return []
  const authentication = elementWith('authentication', { system: 'http' }, 'Basic')
  return [elementWith('incomingServer', { type: 'jmap' }, element('url', url), authentication, USERNAME)]
}
