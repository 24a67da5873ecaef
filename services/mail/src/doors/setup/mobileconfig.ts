import { hash } from 'node:crypto'
import { type Content, element, elementWith, type Markup, xmlDocument } from '@stoa/kit/xml-write.ts'
import { bestServer, type ClientServer, type SetupConfig } from '../../config/servers.ts'

const DOCTYPE =
  '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n'

/** A profile for Apple's systems; null while there is no door to read mail by, or none to send it. It asks for the password. */
export const mobileconfigDocument = (config: SetupConfig, email: string): string | null => {
  const reading = bestServer(config, 'imap') ?? bestServer(config, 'pop3')
  const sending = bestServer(config, 'smtp')
  if (!reading || !sending) return null
  const name = `${config.hostname.split('.').reverse().join('.')}.mail.${hash('sha256', email).slice(0, 16)}`
  const account = dict({
    PayloadType: 'com.apple.mail.managed',
    PayloadVersion: 1,
    PayloadIdentifier: `${name}.account`,
    PayloadUUID: uuidOf(`${name}.account`),
    PayloadDisplayName: email,
    EmailAccountType: reading.protocol === 'imap' ? 'EmailTypeIMAP' : 'EmailTypePOP',
    EmailAccountDescription: email,
    EmailAddress: email,
    ...serverMembers('Incoming', reading, email),
    ...serverMembers('Outgoing', sending, email),
    OutgoingPasswordSameAsIncomingPassword: true,
    PreventMove: false,
  })
  const profile = dict({
    PayloadType: 'Configuration',
    PayloadVersion: 1,
    PayloadIdentifier: name,
    PayloadUUID: uuidOf(name),
    PayloadDisplayName: `Mail: ${email}`,
    PayloadDescription: `Sets up the mailbox ${email}.`,
    PayloadOrganization: config.hostname,
    PayloadContent: element('array', account),
  })
  return xmlDocument(elementWith('plist', { version: '1.0' }, profile), DOCTYPE)
}

type Value = string | number | boolean | Markup

const serverMembers = (
  side: 'Incoming' | 'Outgoing',
  { host, port }: ClientServer,
  email: string,
): Record<string, Value> => ({
  [`${side}MailServerHostName`]: host,
  [`${side}MailServerPortNumber`]: port,
  // Also for STARTTLS: the port decides which.
  [`${side}MailServerUseSSL`]: true,
  [`${side}MailServerUsername`]: email,
  [`${side}MailServerAuthentication`]: 'EmailAuthPassword',
})

const dict = (members: Readonly<Record<string, Value>>): Markup =>
  element(
    'dict',
    ...Object.entries(members).flatMap(([key, value]): Content[] => [element('key', key), valueElement(value)]),
  )

const valueElement = (value: Value): Markup => {
  if (typeof value === 'object') return value
  if (typeof value === 'boolean') return element(String(value))
  return typeof value === 'number' ? element('integer', value) : element('string', value)
}

/** A UUID derived from the name, so that a new profile replaces the previous one. RFC 9562 §5.8. */
const uuidOf = (name: string): string => {
  const hex = hash('sha256', name)
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 3) | 8).toString(16)
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`]
  return [...parts, hex.slice(20, 32)].join('-').toUpperCase()
}
