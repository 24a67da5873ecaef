import type { DnsRecord, RecordKind } from '@stoa/mail-model/dns.ts'

/** What a kind of record is called and what it does, in one sentence. */
export const purposes: Readonly<Record<RecordKind, { name: string; purpose: string }>> = {
  Ownership: { name: 'Ownership', purpose: 'Proves that the domain is yours. Without it no mail is accepted or sent.' },
  MX: { name: 'MX', purpose: 'Tells other servers to deliver mail for the domain here.' },
  SPF: { name: 'SPF', purpose: 'Says which servers may send in the name of the domain.' },
  DKIM: { name: 'DKIM', purpose: 'Holds the public key that receivers check the signature of your mail with.' },
  DMARC: { name: 'DMARC', purpose: 'Says what receivers do with forged mail, and asks them for reports.' },
  'MTA-STS': { name: 'MTA-STS', purpose: 'Makes other servers use encryption when they deliver mail to you.' },
  'TLS-RPT': { name: 'TLS reports', purpose: 'Asks other servers to report when encrypted delivery to you fails.' },
  Autoconfig: { name: 'Autoconfig', purpose: 'Lets Thunderbird and others set themselves up from the address alone.' },
  Autodiscover: { name: 'Autodiscover', purpose: 'Lets Outlook set itself up from the address alone.' },
  SRV: { name: 'Service', purpose: 'Tells mail programs the server and port of one of the services.' },
  JMAP: { name: 'JMAP', purpose: 'Tells JMAP programs where the server is.' },
  BIMI: { name: 'BIMI', purpose: 'Shows your logo beside your mail where receivers support it.' },
}

const SERVICES: Readonly<Record<string, string>> = {
  '_autodiscover._tcp': 'Outlook set-up',
  '_imaps._tcp': 'IMAP over TLS',
  '_imap._tcp': 'IMAP',
  '_pop3s._tcp': 'POP3 over TLS',
  '_pop3._tcp': 'POP3',
  '_submissions._tcp': 'Sending over TLS',
  '_submission._tcp': 'Sending',
  '_sieve._tcp': 'Filters (ManageSieve)',
}

/** The name of one record: its kind, with what tells it from others of that kind. */
export const recordTitle = ({ record, name, type }: Pick<DnsRecord, 'record' | 'name' | 'type'>): string => {
  if (record === 'DKIM') return `DKIM ${name.replace(/\._domainkey$/, '')}`
  if (record === 'SRV') return `Service: ${SERVICES[name] ?? name}`
  if (record === 'MTA-STS') return type === 'CNAME' ? 'MTA-STS host' : 'MTA-STS policy'
  return purposes[record].name
}

/** What this very record does. */
export const recordPurpose = ({ record, required, name, type }: DnsRecord): string => {
  if (record === 'DKIM' && !required)
    return 'The spare key: with its record in place, the signing key can be switched without a wait.'
  if (record === 'MTA-STS' && type === 'CNAME') return 'Where other servers read the MTA-STS policy.'
  if (record === 'SRV' && name === '_autodiscover._tcp') return purposes.Autodiscover.purpose
  return purposes[record].purpose
}

/** What to do about a record that is not right; null while there is nothing to do. */
export const howToFix = ({ record, status, found, required, type }: DnsRecord): string | null => {
  if (status === 'verified') return null
  if (status === 'temporary_failure')
    return 'It was right before. Mail goes on for 72 hours; look whether the record or the name servers changed.'
  if (status !== 'failed' || found.length === 0)
    return `Add this ${type} record where the DNS of the domain is run. It is usually seen within minutes.`
  return wrongWords(record, found.length, required)
}

const wrongWords = (record: RecordKind, count: number, required: boolean): string => {
  if (record === 'MX')
    return 'Delete the MX records of other services. If mailboxes are still there, transfer their mail first.'
  if (count > 1 && record !== 'Ownership' && record !== 'SRV')
    return `Keep one ${purposes[record].name} record and delete the others: receivers ignore all of them otherwise.`
  if (record === 'SPF') return 'Keep your record and add this server to it. A second SPF record would break both.'
  if (record === 'DMARC') return 'Replace the record; its policy must be none, quarantine or reject.'
  if (record === 'DKIM') return 'Replace the record. Copy the whole value: providers cut long ones when typed by hand.'
  if (record === 'TLS-RPT' || !required) return 'Replace the record, or leave it if you set it so on purpose.'
  return 'Replace the record with the wanted value.'
}
