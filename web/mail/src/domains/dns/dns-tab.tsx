import type { DnsRecord, DnsRecordSet } from '@stoa/mail-model/dns.ts'
import type { Domain } from '@stoa/mail-model/domains.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { CopyButton } from '@stoa/ui/button/copy-button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { useQuery } from '@tanstack/react-query'
import { FileText } from 'lucide-react'
import { useState } from 'react'
import { LastPublish } from '../publish/last-publish.tsx'
import { providerQuery } from '../queries.ts'
import { CheckState } from './check-parts.tsx'
import { NextSteps } from './next-steps.tsx'
import { type OpenRecords, RecordList } from './record-list.tsx'
import { anchorOf } from './record-row.tsx'
import { recordsText } from './record-text.ts'
import { hasOtherPolicy, isTrustedName, isWorking, type KindState, recordLook, tallyOf, trustedLook } from './states.ts'
import { StatusBoard } from './status-board.tsx'
import type { Check } from './use-check.ts'

type DnsTabProps = { domain: Domain; set: DnsRecordSet; check: Check; onPublish: () => void; onZone: () => void }

/** The status board of a domain, and every record with what to do about it. */
export const DnsTab = ({ domain, set, check, onPublish, onZone }: DnsTabProps) => {
  const provider = useQuery({ ...providerQuery(domain.id), enabled: domain.status !== 'verified' })
  const trusted = isTrustedName(set.status, set.records)
  const opened = useOpenRecords(trusted)
  const look = trusted ? trustedLook : recordLook
  const show = ({ records }: KindState) => {
    for (const record of records) opened.set(record, true)
    const [first] = records.toSorted((a, b) => Number(isWorking(a)) - Number(isWorking(b)))
    if (first) goTo(anchorOf(first))
  }
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <NextSteps
        domain={domain}
        tally={tallyOf(set.records)}
        trusted={trusted}
        provider={provider.data?.publish_supported ? provider.data.name : null}
        check={check}
        onPublish={onPublish}
      />
      <CheckState check={check} records={set.records.length} />
      <StatusBoard domain={domain} set={set} trusted={trusted} onKind={show} />
      {trusted ? (
        <Notice title="This domain doesn't need DNS records">
          Outside production, domains under .test, .example and .localhost count as verified. The records below show
          what a real domain would publish.
        </Notice>
      ) : null}
      <LastPublish domainId={domain.id} />
      <RecordList
        title="Required records"
        description="The domain is verified once all of these are published."
        records={set.records.filter(({ required }) => required)}
        opened={opened}
        look={look}
        actions={<CopyButton text={recordsText(set.records)} label="Copy all records" size="md" />}
      />
      <RecordList
        title="Recommended records"
        description="Optional, but they make delivery safer and set up mail apps automatically."
        records={set.records.filter(({ required }) => !required)}
        opened={opened}
        look={look}
        actions={
          <Button icon={<FileText />} onClick={onZone}>
            Zone file
          </Button>
        }
      />
    </div>
  )
}

/** A record that needs something is open until it is closed; the others are closed until they are opened. */
const useOpenRecords = (trusted: boolean): OpenRecords => {
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map())
  const byItself = (record: DnsRecord): boolean => {
    if (trusted) return false
    const { required, status, found } = record
    if (status === 'failed') return required || found.length > 0
    return (required && status === 'pending') || hasOtherPolicy(record)
  }
  return {
    isOpen: (record) => chosen.get(anchorOf(record)) ?? byItself(record),
    set: (record, open) => setChosen((before) => new Map(before).set(anchorOf(record), open)),
  }
}

/** After the row has been drawn open. */
const goTo = (id: string): void => {
  requestAnimationFrame(() => {
    const row = document.getElementById(id)
    row?.scrollIntoView({ block: 'center' })
    row?.querySelector('button')?.focus({ preventScroll: true })
  })
}
