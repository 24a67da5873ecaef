import type { Overview } from '@stoa/mail-model/overview.ts'
import { useStored } from '@stoa/ui/browser/stored.ts'
import { BarChart } from '@stoa/ui/display/bar-chart.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { Checklist } from '@stoa/ui/feedback/checklist.tsx'
import { Notice, type NoticeTone } from '@stoa/ui/feedback/notice.tsx'
import { QueryBoundary } from '@stoa/ui/feedback/query-boundary.tsx'
import { ScreenSkeleton } from '@stoa/ui/feedback/screen-skeleton.tsx'
import { LinkButton, TextLink } from '@stoa/ui/navigation/link.tsx'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { formatDay } from '@stoa/ui/text/format.ts'
import { useQuery } from '@tanstack/react-query'
import { ActivityPanel } from './activity-panel.tsx'
import { DomainsPanel } from './domains-panel.tsx'
import { Numbers } from './numbers.tsx'
import { overviewQuery } from './queries.ts'
import { stepsOf } from './steps.ts'

/** While somebody is new, what they wait for comes from outside: DNS, a first mail. */
const LOOK_MS = 5000

/** How everything is, at a glance. */
export const OverviewScreen = () => {
  const query = useQuery({
    ...overviewQuery,
    refetchInterval: ({ state }) => (state.data?.onboarding.every(({ done }) => done) === false ? LOOK_MS : false),
  })
  return (
    <>
      <title>Overview · Stoa Mail</title>
      <PageHeader
        title="Overview"
        description="Your mail at a glance, and anything that needs your attention."
        actions={<LinkButton to="/addresses?new=1">New address</LinkButton>}
      />
      <QueryBoundary
        query={query}
        name="Overview"
        skeleton={<ScreenSkeleton label="Loading overview" headless tiles={4} />}
      >
        {(overview) => <Everything overview={overview} />}
      </QueryBoundary>
    </>
  )
}

const Everything = ({ overview }: { overview: Overview }) => (
  <div className="flex flex-col gap-6">
    <Alerts overview={overview} />
    <FirstSteps overview={overview} />
    <Numbers overview={overview} />
    <Panel title="Mail in the last 30 days" description="All domains, per day (UTC).">
      <MailChart series={overview.series} />
    </Panel>
    <div className="grid gap-6 desk:grid-cols-2">
      <DomainsPanel overview={overview} />
      <ActivityPanel overview={overview} />
    </div>
  </div>
)

const tones: Record<Overview['alerts'][number]['severity'], NoticeTone> = {
  info: 'info',
  warning: 'warning',
  error: 'danger',
}

/** Problems that the banner of all screens shows already. */
const IN_BANNER: readonly string[] = ['payment_failed', 'sending_stopped', 'limits_lowered']

const Alerts = ({ overview }: { overview: Overview }) => {
  const alerts = overview.alerts.filter(({ code }) => !IN_BANNER.includes(code))
  return alerts.length === 0 ? null : (
    <ul aria-label="Needs attention" className="flex flex-col gap-2">
      {alerts.map(({ code, severity, message, href }) => (
        <li key={`${code} ${href}`}>
          <Notice
            tone={tones[severity]}
            action={
              <TextLink to={href} className="shrink-0 touch:-my-2 touch:py-2">
                View
              </TextLink>
            }
          >
            {message}
          </Notice>
        </li>
      ))}
    </ul>
  )
}

const FirstSteps = ({ overview }: { overview: Overview }) => {
  const [closed, setClosed] = useStored(`${overview.user.id}:first-steps-closed`, (stored) => stored === true)
  const steps = stepsOf(overview)
  if (closed || steps.every(({ done }) => done)) return null
  return <Checklist description="Set up your mail in a few steps." steps={steps} onClose={() => setClosed(true)} />
}

const MailChart = ({ series }: Pick<Overview, 'series'>) => (
  <BarChart
    label="Mail in the last 30 days"
    series={[
      { key: 'received', label: 'Received', tone: 'accent' },
      { key: 'sent', label: 'Sent', tone: 'second' },
      { key: 'rejected', label: 'Rejected', tone: 'failed' },
    ]}
    bars={series.map(({ date, ...values }) => ({
      id: date,
      label: formatDay(date),
      values,
    }))}
  />
)
