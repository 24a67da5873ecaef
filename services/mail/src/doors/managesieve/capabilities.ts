import { sieveExtensions } from '@stoa/mail-model/sieve-extensions.ts'
import { defaultLimits } from '../../formats/sieve/sieve.ts'
import { stringText } from './replies.ts'
import type { ManageSieveSession } from './session.ts'

/** What can be done on this connection now (RFC 5804 §1.7), one on a line. */
export const capabilitiesText = (session: ManageSieveSession): string => {
  const lines: [string, string?][] = [
    ['IMPLEMENTATION', 'Stoa'],
    // RFC 5804 §2.1: what is not allowed yet is not offered.
    ['SASL', session.isSecure && session.signIn === null ? 'PLAIN' : ''],
    ['SIEVE', sieveExtensions.join(' ')],
    ...(session.startTls && session.signIn === null ? [['STARTTLS'] as [string]] : []),
    ['MAXREDIRECTS', String(defaultLimits.redirects)],
    ['NOTIFY', 'mailto'],
    ['LANGUAGE', 'en'],
    ...(session.signIn ? [['OWNER', session.signIn.address.email] as [string, string]] : []),
    ['UNAUTHENTICATE'],
    ['VERSION', '1.0'],
  ]
  return lines
    .map(([name, value]) => `${stringText(name)}${value === undefined ? '' : ` ${stringText(value)}`}\r\n`)
    .join('')
}
