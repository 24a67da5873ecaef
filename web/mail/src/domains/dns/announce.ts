import type { DnsRecordSet } from '@stoa/mail-model/dns.ts'
import { recordTitle } from './purposes.ts'
import { recordId } from './record-text.ts'
import { isReady, isTrustedName, recordLook } from './states.ts'

/** The differences after a check, in a sentence or two; empty when there are none. */
export const describeChanges = (before: DnsRecordSet, after: DnsRecordSet): string => {
  if (isTrustedName(after.status, after.records)) return ''
  const words = new Map(before.records.map((record) => [recordId(record), recordLook(record).word]))
  const changed = after.records.flatMap((record) => {
    const { word } = recordLook(record)
    return words.get(recordId(record)) === word ? [] : [`${recordTitle(record)}: ${word.toLowerCase()}`]
  })
  return [
    ...(changed.length === 0 ? [] : [`${changed.join(', ')}.`]),
    ...(isReady(after.records) && !isReady(before.records) ? [`${after.domain} is ready to send and receive.`] : []),
  ].join(' ')
}
