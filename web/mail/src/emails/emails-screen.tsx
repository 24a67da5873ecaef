import type { EmailItem } from '@stoa/mail-model/emails.ts'
import { buttonClass } from '@stoa/ui/button/button-class.ts'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Select } from '@stoa/ui/form/select.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { type UrlState, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { useSelection } from '@stoa/ui/table/selection.ts'
import { UrlSearch } from '@stoa/ui/table/url-search.tsx'
import { useQuery } from '@tanstack/react-query'
import { BookOpen, CalendarClock, Copy, KeyRound, XCircle } from 'lucide-react'
import { useState } from 'react'
import { hasName } from '../api.ts'
import { selectionAmong } from '../list-url.ts'
import { EmailStatusMark } from './email-status.tsx'
import { FirstEmail } from './first-email.tsx'
import { turnsOf } from './paging.ts'
import { domainChoicesQuery, EMAILS_PER_PAGE, type EmailsFilter, emailsQuery } from './queries.ts'
import { readAddress, subjectOf } from './recipients.ts'
import { CancelEmail, CancelEmails, RescheduleDialog } from './schedule-dialogs.tsx'
import { statusOptions } from './states.ts'
import { TagFilter } from './tag-filter.tsx'

const TOP = { after: '', before: '' }
const NO_FILTERS = { q: '', status: '', domain: '', tag: '' }

const filterOf = (url: UrlState): EmailsFilter => ({
  search: url.get('q'),
  status: url.get('status'),
  domain_id: url.get('domain'),
  tag: url.get('tag'),
  after: url.get('after'),
  before: url.get('before'),
})

/** Mails that programs sent through the API; the log refreshes itself. */
export const EmailsScreen = () => {
  const url = useUrlState()
  const filter = filterOf(url)
  const query = useQuery(emailsQuery(filter))
  const [acting, setActing] = useState<{ action: 'reschedule' | 'cancel'; email: EmailItem }>()
  const [cancelling, setCancelling] = useState<readonly EmailItem[]>([])
  const selection = useSelection()
  const isNarrowed = Object.keys(NO_FILTERS).some((name) => url.get(name) !== '')
  const close = () => setActing(undefined)
  return (
    <>
      <title>Emails · Stoa Mail</title>
      <PageHeader
        title="Emails"
        description="Emails your apps send through the API, and their delivery status."
        actions={
          <>
            <a href="/reference" target="_blank" rel="noreferrer" className={buttonClass()}>
              <BookOpen aria-hidden />
              API reference
            </a>
            <LinkButton to="/api-keys" icon={<KeyRound />}>
              API keys
            </LinkButton>
          </>
        }
      />
      <DataTable
        label="Emails"
        columns={columnsFor((tag) => url.set({ tag, ...TOP }))}
        state={listState(
          {
            data: query.data?.data,
            error: query.error,
            refetch: () =>
              hasName(query.error, 'invalid_parameter') ? url.set(withoutWrong(filter)) : query.refetch(),
          },
          messageOf,
        )}
        rowKey={(email) => email.id}
        rowName={subjectOf}
        rowTo={(email) => `/emails/${email.id}`}
        rowActions={(email) => [
          ...(email.status === 'scheduled'
            ? [
                {
                  label: 'Reschedule',
                  icon: <CalendarClock />,
                  onRun: () => setActing({ action: 'reschedule', email }),
                },
                { label: 'Cancel sending', icon: <XCircle />, onRun: () => setActing({ action: 'cancel', email }) },
              ]
            : []),
          { label: 'Copy ID', icon: <Copy />, onRun: () => void copyId(email.id) },
        ]}
        {...(filter.status === 'scheduled'
          ? {
              selection: selectionAmong(selection, query.data?.data),
              bulkActions: bulkOf(query.data?.data, setCancelling),
            }
          : {})}
        toolbar={<Filters url={url} />}
        onClearFilters={isNarrowed ? () => url.set({ ...NO_FILTERS, ...TOP }) : undefined}
        empty={<FirstEmail />}
        {...(query.data ? { pager: pagerOf(query.data, filter, url) } : {})}
      />
      {acting?.action === 'reschedule' ? <RescheduleDialog email={acting.email} onClose={close} /> : null}
      {acting?.action === 'cancel' ? <CancelEmail email={acting.email} onClose={close} /> : null}
      {cancelling.length > 0 ? (
        <CancelEmails emails={cancelling} onSettled={selection.clear} onClose={() => setCancelling([])} />
      ) : null}
    </>
  )
}

/** The mail that the page began at may be gone by now; other wrong values came with the address. */
const withoutWrong = ({ after, before }: EmailsFilter): Record<string, string> =>
  after !== '' || before !== '' ? TOP : { ...NO_FILTERS, ...TOP }

const bulkOf = (rows: readonly EmailItem[] | undefined, onCancel: (emails: readonly EmailItem[]) => void) => [
  {
    label: 'Cancel sending',
    icon: <XCircle />,
    danger: true,
    onRun: (keys: ReadonlySet<string>) => onCancel(rows?.filter(({ id }) => keys.has(id)) ?? []),
  },
]

const Filters = ({ url }: { url: UrlState }) => {
  const { data: domains } = useQuery(domainChoicesQuery)
  const set = (changes: Record<string, string>) => url.set({ ...changes, ...TOP })
  const names = domains?.data.map(({ id, unicode_name: label }) => ({ value: id, label })) ?? []
  return (
    <>
      <UrlSearch label="Search recipients and subjects" value={url.get('q')} onSearch={(q) => set({ q })} />
      <TagFilter value={url.get('tag')} onTag={(tag) => set({ tag })} />
      <Select
        aria-label="Status"
        className="max-w-36 phone:max-w-none phone:flex-1"
        value={url.get('status')}
        options={statusOptions}
        onValue={(status) => set({ status })}
      />
      <Select
        aria-label="Domain"
        className="max-w-44 phone:max-w-none phone:flex-1"
        value={url.get('domain')}
        options={[{ value: '', label: 'All domains' }, ...names]}
        onValue={(domain) => set({ domain })}
      />
    </>
  )
}

const columnsFor = (onTag: (tag: string) => void): readonly [Column<EmailItem>, ...Column<EmailItem>[]] => [
  {
    id: 'to',
    header: 'To and subject',
    cell: (email) => (
      <span className="flex min-w-0 flex-col">
        <span className="truncate">
          {readAddress(email.to[0] ?? '').address}
          {email.to.length > 1 ? (
            <span className="font-normal text-faint">{` and ${email.to.length - 1} more`}</span>
          ) : null}
        </span>
        <span className="truncate font-normal text-muted">{subjectOf(email)}</span>
      </span>
    ),
  },
  { id: 'status', header: 'Status', cell: (email) => <EmailStatusMark email={email} /> },
  {
    id: 'from',
    header: 'From',
    hideOnPhone: true,
    cell: (email) => (
      <span title={email.from} className="block max-w-44 truncate">
        {readAddress(email.from).address}
      </span>
    ),
  },
  {
    id: 'tags',
    header: 'Tags',
    hideOnPhone: true,
    isSpare: true,
    cell: (email) => <Tags email={email} onTag={onTag} />,
  },
  {
    id: 'time',
    header: 'Time',
    cell: ({ scheduled_at: leaves, created_at: created, status }) =>
      status === 'scheduled' && leaves !== null ? <RelativeTime at={leaves} /> : <RelativeTime at={created} />,
  },
]

const Tags = ({ email, onTag }: { email: EmailItem; onTag: (tag: string) => void }) => {
  const [first, ...rest] = email.tags
  if (!first) return '–'
  const tag = `${first.name}:${first.value}`
  return (
    <span className="flex items-center gap-1">
      <button
        type="button"
        title={tag}
        aria-label={`Show emails tagged ${tag}`}
        onClick={() => onTag(tag)}
        className="flex max-w-32 rounded-sm hover:opacity-80"
      >
        <Badge>{tag}</Badge>
      </button>
      {rest.length > 0 ? <span className="text-faint text-xs">+{rest.length}</span> : null}
    </span>
  )
}

type Page = { data: readonly EmailItem[]; has_more: boolean; page: number; total: number }

const pagerOf = ({ data, has_more: hasMore, page, total }: Page, { after, before }: EmailsFilter, url: UrlState) => {
  const turns = turnsOf({ ids: data.map(({ id }) => id), hasMore, page, after, before })
  const first = (page - 1) * EMAILS_PER_PAGE
  return {
    from: first + 1,
    to: first + data.length,
    total,
    onPrevious: turns.previous && (() => url.set(turns.previous ?? TOP)),
    onNext: turns.next && (() => url.set(turns.next ?? TOP)),
  }
}

const copyId = async (id: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(id)
    toast({ tone: 'success', title: 'ID copied' })
  } catch {
    // Refused by the browser, or a page without https
    toast({ tone: 'danger', title: 'Your browser blocked copying', description: id })
  }
}
