import type { DnsRecordSet } from '@stoa/mail-model/dns.ts'
import type { Domain } from '@stoa/mail-model/domains.ts'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { Inbox, Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { LookIcon } from '../look.tsx'
import { NextCheck } from './next-check.tsx'
import { purposes } from './purposes.ts'
import { describeTally, type KindState, kindStates, type Look, recordLook, tallyOf, trustedLook } from './states.ts'

type StatusBoardProps = {
  domain: Domain
  set: DnsRecordSet
  /** Whether the name needs no DNS. */
  trusted: boolean
  onKind: (kind: KindState) => void
}

/** What works at a glance: receiving, sending, and every kind of record. */
export const StatusBoard = ({ domain, set, trusted, onKind }: StatusBoardProps) => {
  const kinds = kindStates(set.records, trusted ? trustedLook : recordLook)
  const needed = kinds.filter(({ required }) => required)
  const others = kinds.filter(({ required }) => !required)
  return (
    <section aria-label="DNS status" className="flex min-w-0 flex-col gap-3">
      <div className="grid grid-cols-2 gap-3 phone:grid-cols-1">
        <Capability
          icon={<Inbox aria-hidden />}
          title="Receiving"
          on={domain.capabilities.receiving === 'enabled'}
          yes="Mail for this domain is accepted."
          no="Mail is accepted once the Ownership record is verified."
        />
        <Capability
          icon={<Send aria-hidden />}
          title="Sending"
          on={domain.capabilities.sending === 'enabled'}
          yes="Mail from this domain is signed and sent."
          no="You can send once Ownership, SPF and DKIM are verified."
        />
      </div>
      <ul className="grid grid-cols-5 gap-3 phone:grid-cols-2 phone:[&>:last-child:nth-child(odd)]:col-span-2">
        {needed.map((kind) => (
          <Tile key={kind.kind} kind={kind} onPress={() => onKind(kind)} />
        ))}
      </ul>
      {others.length > 0 ? (
        <ul className="flex flex-wrap gap-3 phone:grid phone:grid-cols-2 phone:[&>:last-child:nth-child(odd)]:col-span-2">
          {others.map((kind) => (
            <Tile key={kind.kind} kind={kind} onPress={() => onKind(kind)} />
          ))}
        </ul>
      ) : null}
      {trusted ? null : <CheckTimes set={set} />}
    </section>
  )
}

const CheckTimes = ({ set: { records, checked_at: checked, next_check_at: next } }: { set: DnsRecordSet }) => (
  <p className="text-faint text-xs">
    {checked === null ? (
      'Not checked yet.'
    ) : (
      <>
        Checked <RelativeTime at={checked} />. {describeTally(tallyOf(records))}
      </>
    )}
    {next === null ? null : (
      <>
        {' '}
        Next automatic check <NextCheck at={next} />.
      </>
    )}
  </p>
)

type CapabilityProps = { icon: ReactNode; title: string; on: boolean; yes: string; no: string }

const Capability = ({ icon, title, on, yes, no }: CapabilityProps) => (
  <div
    className={cx(
      'flex min-w-0 items-start gap-3 rounded-xl border p-4 shadow-sm',
      on ? 'border-live-line bg-live-soft' : 'border-line bg-surface',
    )}
  >
    <span
      className={cx(
        'flex size-8 shrink-0 items-center justify-center rounded-lg border [&_svg]:size-4',
        on ? 'border-live-line bg-surface text-live-ink' : 'border-line bg-canvas text-faint',
      )}
    >
      {icon}
    </span>
    <div className="flex min-w-0 flex-col">
      <p className="flex flex-wrap items-baseline gap-x-2 font-medium text-ink text-base">
        {title}
        <span className={cx('text-sm', on ? 'text-live-ink' : 'text-muted')}>{on ? 'On' : 'Not yet'}</span>
      </p>
      <p className="text-muted text-sm">{on ? yes : no}</p>
    </div>
  </div>
)

const edges: Record<Look['tone'], string> = {
  neutral: 'border-line',
  draft: 'border-draft-line',
  live: 'border-line',
  scheduled: 'border-line',
  failed: 'border-failed-line bg-failed-soft',
  accent: 'border-line',
}

/** One kind of record; pressing it leads to its records. */
const Tile = ({ kind: { kind, look, records }, onPress }: { kind: KindState; onPress: () => void }) => (
  <li className="flex min-w-0 flex-1 basis-36">
    <button
      type="button"
      onClick={onPress}
      className={cx(
        'flex min-w-0 flex-1 items-start gap-2 rounded-lg border bg-surface px-3 py-2.5 text-left shadow-sm transition-colors hover:border-line-strong',
        edges[look.tone],
      )}
    >
      <LookIcon look={look} className="mt-0.5" />
      <span className="flex min-w-0 flex-col">
        <span className="truncate font-medium text-ink text-sm">
          {purposes[kind].name}
          {records.length > 1 && kind === 'SRV' ? ` records` : ''}
        </span>
        <span className="text-muted text-xs">{look.word}</span>
      </span>
    </button>
  </li>
)
