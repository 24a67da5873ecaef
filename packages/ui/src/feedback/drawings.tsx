import type { ReactNode } from 'react'

/** Page with lines of text. */
const Sheet = ({ x, y, tilt = 0 }: { x: number; y: number; tilt?: number }) => (
  <g transform={`translate(${x} ${y}) rotate(${tilt})`}>
    <rect width="40" height="50" rx="4" className="fill-surface stroke-line-strong" />
    <path d="M8 12h24M8 20h18M8 28h22M8 36h12" strokeLinecap="round" className="stroke-line-strong" strokeWidth="2.5" />
  </g>
)

const Documents = () => (
  <>
    <Sheet x={46} y={30} tilt={-10} />
    <Sheet x={76} y={22} tilt={6} />
    <path d="M118 70l14-34 5 2-14 34-6 5z" className="fill-accent" />
    <path d="M132 36l3-6 5 2-3 6z" className="fill-second" />
  </>
)

const Pictures = () => (
  <>
    <rect x="38" y="26" width="52" height="40" rx="4" className="fill-surface stroke-line-strong" />
    <path d="M42 60l13-17 10 11 7-8 14 14v2H42z" className="fill-second" opacity="0.75" />
    <circle cx="78" cy="37" r="4" className="fill-draft-mark" />
    <rect x="82" y="36" width="44" height="36" rx="4" className="fill-surface stroke-line-strong" />
    <path d="M86 66l11-13 8 9 6-6 11 11v1H86z" className="fill-accent" opacity="0.8" />
    <circle cx="95" cy="46" r="3.5" className="fill-draft-mark" />
  </>
)

const Person = ({ x, fill }: { x: number; fill: string }) => (
  <g transform={`translate(${x} 34)`}>
    <circle cx="0" cy="0" r="9" className={fill} />
    <path d="M-16 36c0-14 7-22 16-22s16 8 16 22z" className={fill} opacity="0.75" />
  </g>
)

const People = () => (
  <>
    <Person x={56} fill="fill-second" />
    <Person x={104} fill="fill-draft-mark" />
    <g transform="translate(0 4)">
      <Person x={80} fill="fill-accent" />
    </g>
  </>
)

const days = Array.from({ length: 12 }, (_, index) => ({
  x: 56 + (index % 4) * 13,
  y: 42 + Math.floor(index / 4) * 10,
}))

const Calendar = () => (
  <>
    <rect x="46" y="22" width="68" height="52" rx="5" className="fill-surface stroke-line-strong" />
    <path d="M46 27a5 5 0 0 1 5-5h58a5 5 0 0 1 5 5v7H46z" className="fill-accent" />
    <path d="M60 18v8M100 18v8" strokeLinecap="round" strokeWidth="3" className="stroke-line-strong" />
    {days.map(({ x, y }, index) => (
      <rect
        key={`${x} ${y}`}
        x={x}
        y={y}
        width="9"
        height="7"
        rx="1.5"
        className={index === 6 ? 'fill-scheduled-mark' : 'fill-neutral-line'}
      />
    ))}
  </>
)

const Shapes = () => (
  <>
    <rect x="44" y="36" width="34" height="34" rx="6" className="fill-accent" />
    <circle cx="98" cy="44" r="18" className="fill-second" opacity="0.85" />
    <path d="M92 74l18-30 18 30z" className="fill-draft-mark" opacity="0.9" />
  </>
)

const Done = () => (
  <>
    <path d="M52 68h56l-9 9H61z" className="fill-accent" />
    <path d="M79 24v40H58z" className="fill-surface stroke-line-strong" />
    <path d="M84 30v34h20z" className="fill-second" opacity="0.8" />
    <path
      d="M34 82c8-5 15-5 23 0s15 5 23 0 15-5 23 0 15 5 23 0"
      fill="none"
      strokeWidth="2.5"
      className="stroke-accent"
    />
  </>
)

const drawings = {
  documents: Documents,
  pictures: Pictures,
  people: People,
  calendar: Calendar,
  shapes: Shapes,
  done: Done,
} as const satisfies Record<string, () => ReactNode>

export type DrawingName = keyof typeof drawings

/** A small landscape with what belongs here in front of it. */
export const Drawing = ({ name }: { name: DrawingName }) => {
  const Subject = drawings[name]
  return (
    <svg viewBox="0 0 160 96" fill="none" className="h-full w-full" aria-hidden="true">
      <circle cx="122" cy="26" r="13" className="fill-draft-soft" />
      <path d="M4 80c22-28 44-34 66-16 16-24 52-26 86 16z" className="fill-accent-soft" />
      <path d="M4 80c26-16 50-16 76-6s50 8 76 6v2H4z" className="fill-neutral-soft" />
      <Subject />
    </svg>
  )
}
