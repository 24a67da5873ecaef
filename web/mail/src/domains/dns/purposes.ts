import type { DnsRecord, RecordKind } from '@stoa/mail-model/dns.ts'

/** The name of each kind of record and its purpose, in one sentence. */
export const purposes: Readonly<Record<RecordKind, { name: string; purpose: string }>> = {
  Ownership: { name: 'Ownership', purpose: 'Proves that you own the domain. Required to send and receive mail.' },
  MX: { name: 'MX', purpose: "Tells other servers to deliver the domain's mail here." },
  SPF: { name: 'SPF', purpose: 'Lists the servers that may send mail for the domain.' },
  DKIM: { name: 'DKIM', purpose: 'Publishes the key that receivers use to verify your signatures.' },
  DMARC: { name: 'DMARC', purpose: 'Tells receivers what to do with forged mail and where to send reports.' },
  'MTA-STS': { name: 'MTA-STS', purpose: 'Makes other servers use encryption when they deliver mail to you.' },
  'TLS-RPT': { name: 'TLS reports', purpose: 'Asks other servers to report when encrypted delivery to you fails.' },
  Autoconfig: { name: 'Autoconfig', purpose: 'Sets up Thunderbird and other mail apps automatically.' },
  Autodiscover: { name: 'Autodiscover', purpose: 'Sets up Outlook automatically.' },
  SRV: { name: 'Service', purpose: 'Tells mail apps the server and port of a service.' },
  JMAP: { name: 'JMAP', purpose: 'Tells JMAP apps where the server is.' },
  BIMI: { name: 'BIMI', purpose: 'Shows your logo next to your mail in supported inboxes.' },
}

const SERVICES: Readonly<Record<string, string>> = {
  '_autodiscover._tcp': 'Outlook setup',
  '_imaps._tcp': 'IMAP over TLS',
  '_imap._tcp': 'IMAP',
  '_pop3s._tcp': 'POP3 over TLS',
  '_pop3._tcp': 'POP3',
  '_submissions._tcp': 'Sending over TLS',
  '_submission._tcp': 'Sending',
  '_sieve._tcp': 'Filters (ManageSieve)',
}

/** The name of one record: its kind, with what distinguishes it from others of that kind. */
export const recordTitle = ({ record, name, type }: Pick<DnsRecord, 'record' | 'name' | 'type'>): string => {
  if (record === 'DKIM') return `DKIM ${name.replace(/\._domainkey$/, '')}`
  if (record === 'SRV') return `Service: ${SERVICES[name] ?? name}`
  if (record === 'MTA-STS') return type === 'CNAME' ? 'MTA-STS host' : 'MTA-STS policy'
  return purposes[record].name
}

/** The purpose of this record. */
export const recordPurpose = ({ record, required, name, type }: DnsRecord): string => {
  if (record === 'DKIM' && !required)
    return 'The standby key. With its record in place, you can switch keys without waiting.'
  if (record === 'MTA-STS' && type === 'CNAME') return 'Where other servers read the MTA-STS policy.'
  if (record === 'SRV' && name === '_autodiscover._tcp') return purposes.Autodiscover.purpose
  return purposes[record].purpose
}

/** How to fix a wrong record; null while there is nothing to do. */
export const howToFix = ({ record, status, found, required, type }: DnsRecord): string | null => {
  if (status === 'verified') return null
  if (status === 'temporary_failure')
    return 'This record was correct before. Mail keeps working for 72 hours. Check whether the record or your name servers changed.'
  if (status !== 'failed' || found.length === 0)
    return `Add this ${type} record at your DNS provider. It usually shows up within minutes.`
  return wrongWords(record, found.length, required)
}

const wrongWords = (record: RecordKind, count: number, required: boolean): string => {
  if (record === 'MX')
    return 'Delete the MX records of other services. If you still have mailboxes there, transfer their mail first.'
  if (count > 1 && record !== 'Ownership' && record !== 'SRV')
    return `Keep one ${purposes[record].name} record and delete the others. Receivers ignore them if there are several.`
  if (record === 'SPF') return 'Add this server to your existing record. A second SPF record would break both.'
  if (record === 'DMARC') return 'Replace the record. The policy must be none, quarantine or reject.'
  if (record === 'DKIM') return 'Replace the record. Copy and paste the full value.'
  if (record === 'TLS-RPT' || !required) return 'Replace the record, or keep it if you set it on purpose.'
  return 'Replace the record with the expected value.'
}
