import { formatDate, formatNumber } from '@stoa/ui/format.ts'
import { useId } from 'react'
import type { Day } from './figures.ts'

const HEIGHT = 120
const BAR = 10
const GAP = 4

type DayChartProps = { days: readonly Day[]; label: string; passWord: string; failWord: string }

/** Passed and failed of each day, one on the other. The same figures stand in a table for screen readers. */
export const DayChart = ({ days, label, passWord, failWord }: DayChartProps) => {
  const id = useId()
  const top = Math.max(1, ...days.map(({ pass, fail }) => pass + fail))
  const scale = (count: number) => (count / top) * HEIGHT
  // Few days keep the width of a month, so that bars stay bars
  const slots = Math.max(days.length, 30)
  const width = slots * (BAR + GAP)
  const last = days.at(-1)
  return (
    <figure aria-labelledby={id} className="flex min-w-0 flex-col gap-2">
      <figcaption id={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-muted text-xs">
        <span>{label}</span>
        <span className="flex gap-3">
          <Key className="bg-live-mark">{passWord}</Key>
          <Key className="bg-failed-mark">{failWord}</Key>
        </span>
      </figcaption>
      <svg
        aria-hidden
        viewBox={`0 0 ${width} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-32 w-full border-line border-b"
      >
        {days.map(({ day, pass, fail }, index) => {
          const x = (slots - days.length + index) * (BAR + GAP) + GAP / 2
          return (
            <g key={day}>
              <title>{`${dayName(day)}: ${formatNumber(pass)} ${passWord}, ${formatNumber(fail)} ${failWord}`}</title>
              <rect x={x} y={0} width={BAR} height={HEIGHT} className="fill-transparent" />
              <rect x={x} y={HEIGHT - scale(pass)} width={BAR} height={scale(pass)} className="fill-live-mark" />
              <rect
                x={x}
                y={HEIGHT - scale(pass) - scale(fail)}
                width={BAR}
                height={scale(fail)}
                className="fill-failed-mark"
              />
            </g>
          )
        })}
      </svg>
      <div aria-hidden className="flex justify-between text-faint text-xs tabular-nums">
        <span>{last ? dayName(daysBefore(last.day, slots - 1)) : ''}</span>
        <span>at most {formatNumber(top)} a day</span>
        <span>{last ? dayName(last.day) : ''}</span>
      </div>
      <table className="sr-only">
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">{passWord}</th>
            <th scope="col">{failWord}</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, pass, fail }) => (
            <tr key={day}>
              <th scope="row">{dayName(day)}</th>
              <td>{formatNumber(pass)}</td>
              <td>{formatNumber(fail)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}

const daysBefore = (day: string, count: number): string =>
  new Date(Date.parse(day) - count * 86_400_000).toISOString().slice(0, 10)

const dayName = (day: string): string => formatDate(new Date(`${day}T12:00:00`), new Date())

const Key = ({ className, children }: { className: string; children: string }) => (
  <span className="inline-flex items-center gap-1.5">
    <span aria-hidden className={`size-2 rounded-full ${className}`} />
    {children}
  </span>
)
