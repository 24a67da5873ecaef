import { useState } from 'react'
import { formatNumber } from '../text/format.ts'
import { cx } from '../theme/cx.ts'

export type ChartTone = 'accent' | 'second' | 'live' | 'failed' | 'scheduled' | 'draft' | 'neutral'
export type ChartSeries<K extends string> = { key: K; label: string; tone: ChartTone }
/** One bar: what it stands for, and a number for each series, drawn on top of each other. */
type ChartBar<K extends string> = { id: string; label: string; values: Readonly<Record<K, number>> }

type BarChartProps<K extends string> = {
  /** What is shown: "Mail of the last 30 days". */
  label: string
  series: readonly ChartSeries<K>[]
  bars: readonly ChartBar<K>[]
}

const fills: Record<ChartTone, string> = {
  accent: 'bg-accent',
  second: 'bg-second',
  live: 'bg-live-mark',
  failed: 'bg-failed-mark',
  scheduled: 'bg-scheduled-mark',
  draft: 'bg-draft-mark',
  neutral: 'bg-neutral-mark',
}

/** Numbers of days as bars. Screen readers get them as a table. */
export const BarChart = <K extends string>({ label, series, bars }: BarChartProps<K>) => {
  const [shown, setShown] = useState<string>()
  const highest = Math.max(1, ...bars.map((bar) => totalOf(bar, series)))
  const isEmpty = bars.every((bar) => totalOf(bar, series) === 0)
  const bar = bars.find(({ id }) => id === shown)
  return (
    <figure className="flex min-w-0 flex-col gap-3">
      <Legend series={series} bars={bar ? [bar] : bars} caption={bar?.label ?? 'Total'} />
      <div
        aria-hidden
        className="relative flex h-36 items-end gap-px border-line border-b desk:gap-0.5"
        onPointerLeave={() => setShown(undefined)}
      >
        {isEmpty ? (
          <p className="absolute inset-0 flex items-center justify-center text-faint text-sm">
            No activity in this period
          </p>
        ) : null}
        {bars.map((one) => (
          <div
            key={one.id}
            className={cx('flex h-full min-w-0 flex-1 flex-col justify-end gap-px', shown === one.id && 'bg-hover')}
            onPointerEnter={() => setShown(one.id)}
          >
            {series
              .toReversed()
              .map(({ key, tone }) =>
                one.values[key] === 0 ? null : (
                  <div
                    key={key}
                    className={cx('min-h-px w-full first:rounded-t-sm', fills[tone])}
                    style={{ height: `${(one.values[key] / highest) * 100}%` }}
                  />
                ),
              )}
          </div>
        ))}
      </div>
      <div aria-hidden className="flex justify-between gap-3 text-faint text-xs">
        <span>{bars[0]?.label}</span>
        {isEmpty ? null : <span className="tabular-nums">up to {formatNumber(highest)} a day</span>}
        <span>{bars.at(-1)?.label}</span>
      </div>
      <ChartTable label={label} series={series} bars={bars} />
    </figure>
  )
}

const totalOf = <K extends string>({ values }: ChartBar<K>, series: readonly ChartSeries<K>[]): number =>
  series.reduce((sum, { key }) => sum + values[key], 0)

type LegendProps<K extends string> = Omit<BarChartProps<K>, 'label'> & { caption: string }

const Legend = <K extends string>({ series, bars, caption }: LegendProps<K>) => (
  <div aria-hidden className="flex flex-wrap items-baseline gap-x-5 gap-y-1 text-sm phone:gap-x-3.5">
    <span className="text-faint text-xs">{caption}</span>
    {series.map(({ key, label, tone }) => (
      <span key={key} className="flex items-center gap-1.5">
        <span className={cx('size-2 rounded-full', fills[tone])} />
        <span className="text-muted first-letter:uppercase">{label}</span>
        <span className="font-medium text-ink tabular-nums">
          {formatNumber(bars.reduce((sum, { values }) => sum + values[key], 0))}
        </span>
      </span>
    ))}
  </div>
)

const ChartTable = <K extends string>({ label, series, bars }: BarChartProps<K>) => (
  // A table alone grows with its rows and would make the page longer
  <div className="sr-only">
    <table>
      <caption>{label}</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          {series.map(({ key, label: name }) => (
            <th key={key} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bars.map((bar) => (
          <tr key={bar.id}>
            <th scope="row">{bar.label}</th>
            {series.map(({ key }) => (
              <td key={key}>{formatNumber(bar.values[key])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
