import type { Domain, Report } from '@stoa/mail-model/domains.ts'
import { BarChart } from '@stoa/ui/display/bar-chart.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { ListSection } from '@stoa/ui/table/list-section.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { UrlSearch } from '@stoa/ui/table/url-search.tsx'
import { formatDate, formatDay, formatNumber } from '@stoa/ui/text/format.ts'
import { useQuery } from '@tanstack/react-query'
import { ChartColumn } from 'lucide-react'
import { pagerOf } from '../../list-url.ts'
import { reportsQuery } from '../queries.ts'
import { FailureTable, SourceTable } from './detail-tables.tsx'
import { daysOf, failuresOf, percentOf, sourcesOf, sumsOf } from './figures.ts'
import { ReportDialog } from './report-dialog.tsx'
import { type ReportType, reportWords } from './words.ts'

/** Reports of other mail servers about the mail of a domain. */
export const ReportsTab = ({ domain }: { domain: Domain }) => {
  const url = useUrlState()
  const type: ReportType = url.get('type') === 'tls' ? 'tls' : 'dmarc'
  const search = url.get('q')
  const page = readPage(url.get('page'))
  const query = useQuery(reportsQuery(domain.id, { type, search, page }))
  const reports = query.data?.data ?? []
  const words = reportWords[type]
  const opened = reports.find(({ id }) => id === url.get('report'))
  return (
    <div className="flex min-w-0 flex-col gap-6">
      {reports.length > 0 ? <Figures type={type} reports={reports} /> : null}
      <DataTable
        label={`${words.name} reports`}
        columns={columnsFor(type, (report) => url.set({ report: report.id }))}
        state={listState({ data: query.data?.data, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={(report) => report.id}
        rowName={(report) => `report from ${report.org}`}
        toolbar={
          <>
            <Select
              aria-label="Report type"
              className="max-w-40 phone:max-w-none"
              value={type}
              options={[
                { value: 'dmarc', label: 'DMARC reports' },
                { value: 'tls', label: 'TLS reports' },
              ]}
              onValue={(next) => url.set({ type: next === 'dmarc' ? '' : next, page: '', report: '' })}
            />
            <UrlSearch label="Search reporters" value={search} onSearch={(q) => url.set({ q, page: '' })} />
          </>
        }
        onClearFilters={search === '' ? undefined : () => url.set({ q: '', page: '' })}
        empty={
          <EmptyState icon={<ChartColumn />} title={words.empty}>
            {words.how}
          </EmptyState>
        }
        {...(query.data && query.data.pages > 1 ? { pager: pagerOf(query.data, url) } : {})}
      />
      {opened ? <ReportDialog report={opened} onClose={() => url.set({ report: '' })} /> : null}
    </div>
  )
}

const Figures = ({ type, reports }: { type: ReportType; reports: readonly Report[] }) => {
  const words = reportWords[type]
  const sums = sumsOf(reports)
  const all = sums.pass + sums.fail
  return (
    <>
      <Panel title={`${words.name} over time`} description={words.about}>
        <div className="flex flex-col gap-5">
          <dl className="grid grid-cols-4 gap-4 phone:grid-cols-2">
            <Figure label={`${words.unit} reported`} value={formatNumber(all)} />
            <Figure label={words.pass} value={percentOf(sums.pass, all)} />
            <Figure label={words.fail} value={formatNumber(sums.fail)} bad={sums.fail > 0} />
            <Figure label="reporters" value={formatNumber(sums.reporters)} />
          </dl>
          <BarChart
            label={`${words.unit} by day`}
            series={[
              { key: 'pass', label: words.pass, tone: 'live' },
              { key: 'fail', label: words.fail, tone: 'failed' },
            ]}
            bars={daysOf(reports).map(({ day, ...values }) => ({ id: day, label: formatDay(day), values }))}
          />
        </div>
      </Panel>
      {type === 'dmarc' ? (
        <ListSection
          title="Sending servers"
          description="Set up SPF or DKIM for servers you know that fail. Servers you don't know may be forging your domain: a stricter DMARC policy stops them."
        >
          <SourceTable sources={sourcesOf(reports)} />
        </ListSection>
      ) : (
        <ListSection title="Failures">
          <FailureTable failures={failuresOf(reports)} />
        </ListSection>
      )}
    </>
  )
}

const Figure = ({ label, value, bad = false }: { label: string; value: string; bad?: boolean }) => (
  <div className="flex min-w-0 flex-col-reverse">
    <dt className="text-faint text-xs first-letter:uppercase">{label}</dt>
    <dd className={`font-semibold text-lg tabular-nums ${bad ? 'text-failed-ink' : 'text-ink'}`}>{value}</dd>
  </div>
)

const columnsFor = (
  type: ReportType,
  open: (report: Report) => void,
): readonly [Column<Report>, ...Column<Report>[]] => [
  {
    id: 'org',
    header: 'Reporter',
    cell: (report) => (
      <button
        type="button"
        onClick={() => open(report)}
        className="max-w-full truncate rounded-xs text-left hover:underline touch:-my-1 touch:py-1"
      >
        {report.org}
      </button>
    ),
  },
  { id: 'begin', header: 'Period', cell: ({ begin, end }) => periodOf(begin, end) },
  {
    id: 'pass',
    header: type === 'dmarc' ? 'Passed' : 'Encrypted',
    align: 'end',
    cell: ({ pass }) => formatNumber(pass),
  },
  {
    id: 'fail',
    header: 'Failed',
    align: 'end',
    cell: ({ fail }) => <span className={fail > 0 ? 'font-medium text-failed-ink' : ''}>{formatNumber(fail)}</span>,
  },
]

const periodOf = (begin: string, end: string): string => {
  const now = new Date()
  const [from, to] = [formatDate(new Date(begin), now), formatDate(new Date(end), now)]
  return from === to ? from : `${from} – ${to}`
}
