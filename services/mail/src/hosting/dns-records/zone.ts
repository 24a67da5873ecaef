import { toZoneData } from '@stoa/kit/dns-zones/data.ts'
import { TTL, type WantedRecord } from './record-set.ts'

/** A zone file (RFC 1035 §5) with the records, to be imported at the DNS provider. */
export const zoneFile = (domain: string, records: readonly WantedRecord[]): string =>
  [`$ORIGIN ${domain}.`, `$TTL ${TTL}`, ...records.map(zoneLine), ''].join('\n')

const zoneLine = (record: WantedRecord): string =>
  [record.name, TTL, 'IN', record.type, toZoneData(record.type, record)].join('\t')
