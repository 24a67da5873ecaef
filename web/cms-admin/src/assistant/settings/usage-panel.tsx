import { type AiFeature, type AiUsage, aiFeatures } from '@stoa/cms-model/ai.ts'
import { BarChart, type ChartSeries } from '@stoa/ui/display/bar-chart.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { Meter } from '@stoa/ui/feedback/meter.tsx'
import { QueryBoundary } from '@stoa/ui/feedback/query-boundary.tsx'
import { formatDay, formatNumber } from '@stoa/ui/text/format.ts'
import { useQuery } from '@tanstack/react-query'
import { aiUsageQuery } from '../queries.ts'

const DAYS = 30

const series: readonly ChartSeries<AiFeature>[] = [
  { key: 'assistant', label: 'Assistant', tone: 'accent' },
  { key: 'field', label: 'Field assistant', tone: 'second' },
  { key: 'visitor', label: 'Visitors', tone: 'scheduled' },
  { key: 'test', label: 'Tests', tone: 'neutral' },
]

/** Tokens by day and by what spent them. */
export const UsagePanel = () => {
  const query = useQuery(aiUsageQuery(DAYS))
  return (
    <Panel title="Usage" description={`Input and output tokens over the last ${DAYS} days (UTC)`}>
      <QueryBoundary query={query} name="The usage" lines={5}>
        {(usage) => (
          <div className="flex min-w-0 flex-col gap-5">
            <Today usage={usage} />
            <BarChart label={`Tokens over the last ${DAYS} days`} series={series} bars={barsOf(usage)} />
          </div>
        )}
      </QueryBoundary>
    </Panel>
  )
}

const Today = ({ usage }: { usage: AiUsage }) => {
  const used = tokensOf(usage, dayOf(0), aiFeatures)
  const limit = usage.limits.siteTokensPerDay
  const text = `${formatNumber(used)} of ${formatNumber(limit)} tokens today`
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <span className="text-ink text-sm tabular-nums">{text}</span>
      <Meter label="Tokens today" value={used} max={limit} text={text} className="max-w-field" />
    </div>
  )
}

const DAY_MS = 86_400_000
const dayOf = (ago: number): string => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10)

const tokensOf = ({ days }: AiUsage, day: string, features: readonly AiFeature[]): number =>
  days
    .filter((one) => one.day === day && features.includes(one.feature))
    .reduce((sum, { tokensIn, tokensOut }) => sum + tokensIn + tokensOut, 0)

const barsOf = (usage: AiUsage) =>
  Array.from({ length: DAYS }, (_, index) => {
    const day = dayOf(DAYS - 1 - index)
    const of = (feature: AiFeature) => tokensOf(usage, day, [feature])
    return {
      id: day,
      label: formatDay(day),
      values: { assistant: of('assistant'), field: of('field'), visitor: of('visitor'), test: of('test') },
    }
  })
