import type { DnsRecord } from '@stoa/mail-model/dns.ts'
import type { FakeDns } from '@stoa/tests/lib/fake-dns.ts'

/** Publishes records on a fake name server, as their owner would. */
export const serveRecords = (dns: FakeDns, records: readonly DnsRecord[]): void => {
  for (const [fqdn, all] of Map.groupBy(records, (record) => record.fqdn)) {
    const of = (type: string): DnsRecord[] => all.filter((record) => record.type === type)
    const [texts, mx, srv, cname] = [of('TXT'), of('MX'), of('SRV'), of('CNAME')]
    if (texts.length > 0)
      dns.set(
        fqdn,
        'TXT',
        texts.map(({ value }) => value.match(/.{1,200}/g) ?? []),
      )
    if (mx.length > 0)
      dns.set(
        fqdn,
        'MX',
        mx.map(({ value, priority }) => ({ preference: priority ?? 0, exchange: value })),
      )
    if (srv.length > 0)
      dns.set(
        fqdn,
        'SRV',
        srv.map(({ value, priority, weight, port }) => ({
          target: value,
          port: port ?? 0,
          priority: priority ?? 0,
          weight: weight ?? 0,
        })),
      )
    if (cname.length > 0)
      dns.set(
        fqdn,
        'CNAME',
        cname.map(({ value }) => value),
      )
  }
}
