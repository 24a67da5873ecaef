import { XmlError, xmlElements } from '@stoa/kit/xml.ts'
import { element, elementWith, type Markup, xmlDocument } from '@stoa/kit/xml-write.ts'
import { bestServer, type ClientServer, type SetupConfig } from '../../config/servers.ts'

/** The parts of Outlook's request (MS-OXDSCLI §2.2.3) that the response depends on. */
export type AutodiscoverRequest = { email: string | null; schema: string | null }

const ROOT = 'http://schemas.microsoft.com/exchange/autodiscover/responseschema/2006'
const OUTLOOK = 'http://schemas.microsoft.com/exchange/autodiscover/outlook/responseschema/2006a'

/** Null when it is no XML, or has a document type: entities are how XML is made to read files or to grow without end. */
export const readAutodiscover = (body: Buffer): AutodiscoverRequest | null => {
  const found: AutodiscoverRequest = { email: null, schema: null }
  try {
    for (const { path, text } of xmlElements(body.toString('utf8'))) {
      if (path === 'Autodiscover/Request/EMailAddress') found.email ??= text
      if (path === 'Autodiscover/Request/AcceptableResponseSchema') found.schema ??= text
    }
  } catch (error) {
    if (error instanceof XmlError) return null
    throw error
  }
  return found
}

/** Settings are given in one schema only; phones ask for another one, of a protocol that is not supported here. */
export const isOfferedSchema = (schema: string | null): boolean => schema === null || schema === OUTLOOK

/** MS-OXDSCLI §2.2.4: the best door of each kind that is open. */
export const autodiscoverDocument = (config: SetupConfig, email: string): string => {
  const protocols = (['imap', 'pop3', 'smtp'] as const).flatMap((protocol) => bestServer(config, protocol) ?? [])
  return response(
    { xmlns: OUTLOOK },
    element('User', element('DisplayName', email), element('AutoDiscoverSMTPAddress', email)),
    element(
      'Account',
      element('AccountType', 'email'),
      element('Action', 'settings'),
      ...protocols.map((server) => protocolElement(server, email)),
    ),
  )
}

const protocolElement = ({ protocol, host, port, security }: ClientServer, email: string): Markup =>
  element(
    'Protocol',
    element('Type', protocol.toUpperCase()),
    element('Server', host),
    element('Port', port),
    element('DomainRequired', 'off'),
    element('LoginName', email),
    // Absent it would be on, and Outlook would try a protocol of its own.
    element('SPA', 'off'),
    element('SSL', 'on'),
    element('Encryption', security === 'tls' ? 'SSL' : 'TLS'),
    element('AuthRequired', 'on'),
    ...(protocol === 'smtp' ? [element('UsePOPAuth', 'on'), element('SMTPLast', 'off')] : []),
  )

/** Why there are no settings; always sent with status 200. */
export const AUTODISCOVER_ERRORS = {
  unknown_address: { code: 500, message: 'Unknown email address' },
  invalid_request: { code: 600, message: 'Invalid Request' },
  no_such_schema: { code: 601, message: 'Requested schema version not supported' },
} as const

export const autodiscoverError = (error: keyof typeof AUTODISCOVER_ERRORS, now: Date): string => {
  const { code, message } = AUTODISCOVER_ERRORS[error]
  const time = `${now.toISOString().slice(11, 23)}0000`
  return response(
    {},
    elementWith(
      'Error',
      { Time: time, Id: String(now.getTime() % 2 ** 31) },
      element('ErrorCode', code),
      element('Message', message),
      element('DebugData'),
    ),
  )
}

const response = (attributes: Readonly<Record<string, string>>, ...content: readonly Markup[]): string =>
  xmlDocument(elementWith('Autodiscover', { xmlns: ROOT }, elementWith('Response', attributes, ...content)))
