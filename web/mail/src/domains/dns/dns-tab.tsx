import type { DnsRecord, DnsRecordSet } from '@stoa/mail-model/dns.ts'
import type { Domain } from '@stoa/mail-model/domains.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { CopyButton } from '@stoa/ui/button/copy-button.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { useQuery } from '@tanstack/react-query'
import { FileText, RefreshCw } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { LastPublish } from '../publish/last-publish.tsx'
import { providerQuery } from '../queries.ts'
import { describeChanges } from './announce.ts'
import { CheckState } from './check-parts.tsx'
import { NextCheck } from './next-check.tsx'
import { Readiness } from './readiness.tsx'
import { type OpenRecords, RecordGroup } from './record-group.tsx'
import { recordId, recordsText } from './record-text.ts'
import { hasOtherPolicy, isNeeded, isTrustedName, isWrong, recordLook, trustedLook } from './states.ts'
import type { Check } from './use-check.ts'

type DnsTabProps = { domain: Domain; set: DnsRecordSet; check: Check; onPublish: () => void; onZone: () => void }

/** Every record of a domain with its state, which changes while one looks, and what to do about it. */
export const DnsTab = ({ domain, set, check, onPublish, onZone }: DnsTabProps) => {
  const provider = useQuery({ ...providerQuery(domain.id), enabled: domain.status !== 'verified' })
  const trusted = isTrustedName(set.status, set.records)
  const opened = useOpenRecords(trusted)
  const group = { isCounted: !trusted, opened, look: trusted ? trustedLook : recordLook }
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <Readiness domain={domain} set={set} trusted={trusted} provider={provider.data} onPublish={onPublish} />
      <CheckState check={check} records={set.records.length} />
      {trusted ? null : (
        <div className="-mt-2 flex flex-col gap-3">
          <CheckTimes set={set} check={check} />
          <LastPublish domainId={domain.id} />
        </div>
      )}
      <RecordGroup
        {...group}
        title="Needed"
        description="A domain can't send and receive mail without these."
        records={set.records.filter(isNeeded)}
        actions={<CopyButton text={recordsText(set.records)} label="Copy all records" size="md" />}
      />
      <RecordGroup
        {...group}
        title="Recommended"
        description="These protect your domain, and set up mail apps automatically."
        records={set.records.filter((record) => !isNeeded(record))}
        actions={
          <Button icon={<FileText />} onClick={onZone}>
            Zone file
          </Button>
        }
      />
      <Announcement set={set} />
    </div>
  )
}

const CheckTimes = ({
  set: { checked_at: checked, next_check_at: next },
  check,
}: Pick<DnsTabProps, 'set' | 'check'>) => (
  <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted text-sm">
    <RefreshCw aria-hidden className="size-4 text-faint" />
    <span>{checked === null ? 'Not checked yet.' : <>Checked {<RelativeTime at={checked} />}.</>}</span>
    {check.isWatching ? (
      <span>We keep checking while this page is open.</span>
    ) : next === null ? null : (
      <span>
        Next automatic check <NextCheck at={next} />.
      </span>
    )}
  </p>
)

/** Tells screen readers what changed since the last check. */
const Announcement = ({ set }: { set: DnsRecordSet }) => {
  const before = useRef(set)
  const [words, setWords] = useState('')
  useEffect(() => {
    const changes = describeChanges(before.current, set)
    before.current = set
    if (changes !== '') setWords(changes)
  }, [set])
  return (
    <p role="status" className="sr-only">
      {words}
    </p>
  )
}

/** A record with another value is open until it is closed; the others are closed until they are opened. */
const useOpenRecords = (trusted: boolean): OpenRecords => {
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map())
  const byItself = (record: DnsRecord): boolean => !trusted && (isWrong(record) || hasOtherPolicy(record))
  return {
    isOpen: (record) => chosen.get(recordId(record)) ?? byItself(record),
    set: (record, open) => setChosen((before) => new Map(before).set(recordId(record), open)),
  }
}
